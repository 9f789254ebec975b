"""What the audit reports of released finance cases look like."""

from __future__ import annotations

from holmes.answers.audit_report.form import Form
from holmes.answers.audit_report.kind import AuditReport
from holmes.sources.holmes_release.finance.prompts import contract, prompt

REPORT = AuditReport(Form(checks=False, named=False, answer="answer", prompt=prompt, contract=contract))
