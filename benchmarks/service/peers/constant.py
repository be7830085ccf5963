"""A peer of `hornbook serve family`: an application of Starlette that answers JSON with a constant."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

ANSWER = {"answers": [{"who": "ada"}, {"who": "ben"}], "count": 2, "warnings": []}


async def query(request: Request) -> JSONResponse:
    await request.json()
    return JSONResponse(ANSWER)


app = Starlette(routes=[Route("/query", query, methods=["POST"])])
