"""Write the dataset card (holmes/README.md) from the embedded data."""

from holmes.card import card
from holmes.files import write_text
from holmes.paths import PACKAGE

write_text(PACKAGE / "README.md", card())
print(PACKAGE / "README.md")
