"""Games without a native step: the step and the domain of each kind. This module imports the planner."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.adapters import Adapter
from hornbook.planner.gdl.game import Game
from hornbook.planner.theory_games.theory_game import WAIT, game_of, network_of, refuse_contradictions
from hornbook.planner.translation.sheet_domain import SheetDomain
from hornbook.play.machines.domain_machine import DomainMachine
from hornbook.play.machines.machine_step import MachineStep
from hornbook.play.machines.notation import FactNotation
from hornbook.play.machines.sheet_machine import SheetMachine
from hornbook.play.machines.sheet_rules import SheetReader, SheetRules
from hornbook.play.machines.text_machine import TextMachine
from hornbook.play.machines.theory_rules import TheoryRules
from hornbook.play.machines.turns import WaitingTurns
from hornbook.play.native import Native
from hornbook.theories.domain import Domain


def sheet_of(domain: Domain) -> Game | None:
    """Return the sheet that the theory of a domain was made of, or None."""
    return domain.sheet.game if isinstance(domain, SheetDomain) else None


def sheet_game(game: Game, reader: Adapter | None = None) -> tuple[SheetRules, Native]:
    """Return the domain and the step of a game in GDL. Raises NoTurnsError.

    `reader` is the adapter of the theory that was made of the sheet, if there is one.
    """
    machine = SheetMachine(game)
    return SheetRules(machine, reader or SheetReader(machine.notation)), _step(machine)


def theory_game(theory: Theory, facts: Iterable[GroundFact]) -> tuple[SheetRules, Native]:
    """Return the domain and the step of a theory that is played by its rules, from a state.

    Raises NoGameError.
    """
    first = tuple(facts)
    game = game_of(theory, first)
    notation = FactNotation(theory, game)
    network = network_of(game)
    refuse_contradictions(theory, network)
    machine = SheetMachine(game, notation, network, WaitingTurns.of(network, WAIT))
    return TheoryRules(machine, notation, theory, first), _step(machine)


def domain_step(domain: Domain) -> Native:
    """Return the step of a domain that names decisive games."""
    return _step(DomainMachine(domain))


def _step(machine: TextMachine) -> Native:
    # Its searches read a state of another step by its text.
    return cast("Native", MachineStep(machine))
