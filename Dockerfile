# syntax=docker/dockerfile:1
# Two stages: the first builds a virtual environment, the second carries it and nothing that built it. Both begin with the
# image of this digest, whatever its tag names later; change the two together.

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b AS build
WORKDIR /src
RUN python -m venv /venv
ENV PATH=/venv/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements/run.lock requirements/build.lock requirements/
RUN pip install --require-hashes --no-deps -r requirements/run.lock
RUN python -m venv /builder && /builder/bin/pip install --require-hashes --no-deps -r requirements/build.lock
COPY pyproject.toml README.md LICENSE manifest.yaml ./
COPY bot bot
COPY integrations integrations
COPY policies policies
COPY playground playground
RUN /builder/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels .
RUN pip install --no-deps --no-index /wheels/*.whl

FROM python:3.13.15-slim-trixie@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
RUN useradd --uid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin countersign \
    && install --directory --owner=countersign --group=countersign --mode=0700 /data
COPY --from=build /venv /venv
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DATABASE_URL=sqlite+aiosqlite:////data/countersign.db
# What docker run --publish leads to: the loopback address of a container is reached from inside it only.
ENV HTTP_HOST=0.0.0.0 HTTP_PORT=8080
EXPOSE 8080
USER countersign
WORKDIR /data
# The database, and with SQLite the key file beside it. Without this volume every new container forgets both.
VOLUME /data
HEALTHCHECK --interval=10s --timeout=5s --retries=3 --start-period=30s \
    CMD ["python", "-c", "import os, urllib.request as u; u.urlopen(f'http://127.0.0.1:{os.environ[\"HTTP_PORT\"]}/readyz', timeout=4)"]
# Tokens and keys come in at run time (docker run --env-file …); none is ever in a layer.
CMD ["countersign", "run"]
