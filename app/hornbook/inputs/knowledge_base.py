"""The knowledge base of the Python API: it loads a theory by name with its proved lemmas."""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.inputs.theories import proved_lemmas
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base import knowledge_base


class KnowledgeBase(knowledge_base.KnowledgeBase):
    __doc__ = knowledge_base.KnowledgeBase.__doc__

    @staticmethod
    def _judge(theory: Theory) -> Mapping[str, Rule]:
        return proved_lemmas(theory)
