"""The page of this metric as a Hugging Face Space."""

import evaluate
from evaluate.utils import launch_gradio_widget

launch_gradio_widget(evaluate.load("derivation.py"))
