# Hornbook in a container: `docker build --tag hornbook .`, then `docker run --rm --volume "$PWD:/work" hornbook check shop`.
# What compiles stays behind: the image has Python, Hornbook with the extras that need no compiler, and nothing else.
FROM python:3.13-slim-bookworm AS build
# The newest compiler of the release is wanted, whatever its number.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ \
    && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN python -m venv /opt/hornbook && /opt/hornbook/bin/pip install --no-cache-dir '/source[data,go,web]'

FROM python:3.13-slim-bookworm
COPY --from=build /opt/hornbook /opt/hornbook
ENV PATH="/opt/hornbook/bin:$PATH"
RUN useradd --create-home --uid 1000 hornbook
USER 1000
WORKDIR /work
ENTRYPOINT ["hornbook"]
CMD ["--help"]
