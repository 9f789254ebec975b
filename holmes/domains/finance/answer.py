"""What the audit reports of this domain look like."""

from __future__ import annotations

from holmes.answers.audit_report.form import Form
from holmes.answers.audit_report.kind import AuditReport
from holmes.domains.finance.prompts import contract, prompt
from holmes.domains.questions import AmountAsked, Outcome

REPORT = AuditReport(Form(checks=True, named=True, answer="", prompt=prompt, contract=contract))
VERDICT, PAYMENT = Outcome(REPORT), AmountAsked(REPORT)
