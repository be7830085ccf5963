"""The service and its OpenAPI description.

The tool schemathesis sends requests that the description allows, and requests that it does not.
`benchmarks/fuzz/service.py` sends thousands of such requests over HTTP.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis.config import SchemathesisConfig

CONFIG = Path(__file__).parents[4] / "benchmarks" / "fuzz" / "schemathesis.toml"
MODES = list(schemathesis.GenerationMode)
BASE = "http://127.0.0.1"


def test_the_page_says_what_each_field_is(served, family):
    page = served(family).client.get("/").text
    assert page.count("<main>") == page.count("</main>") == 1
    assert "<td><code>query</code></td><td>Required. Conditions with variables.</td>" in page
    assert "<code>$NAME</code>" in page
    assert "`" not in page


@pytest.mark.deep
@pytest.mark.parametrize("mode", MODES, ids=[mode.value for mode in MODES])
def test_what_is_described_is_what_is_done(served, family, mode):
    client = served(family).client
    config = SchemathesisConfig.from_path(CONFIG)
    schema = schemathesis.openapi.from_dict(client.get("/openapi.json").json(), config=config)
    schema.config.update(base_url=BASE)
    statuses = set()

    def ask(case):
        sent = case.as_transport_kwargs(base_url=BASE)
        del sent["cookies"]
        if "data" in sent:
            sent["content"] = sent.pop("data")
        reply = client.request(**sent)
        case.validate_response(reply)
        statuses.add(reply.status_code)

    operations = [each.ok() for each in schema.get_all_operations()]
    for operation in operations:
        if mode is schemathesis.GenerationMode.POSITIVE or operation.body:
            cases = given(operation.as_strategy(mode))
            few = settings(max_examples=2, phases=[Phase.generate], database=None, deadline=None,
                           suppress_health_check=list(HealthCheck))  # fmt: skip
            seed(1)(few(cases(ask)))()
    assert len(operations) == 21
    assert statuses >= ({200, 201, 404, 422} if mode is schemathesis.GenerationMode.POSITIVE else {400})
