# The service as a user, not as root: Chromium's sandbox is on. How to run it: docs/programs.md.
# A tag moves; for the same image each time, give the digest that `docker buildx imagetools inspect python:3.13-slim` prints:
# docker build --build-arg BASE=python@sha256:... .
ARG BASE=python:3.13-slim

# The wheel, with the loops in C: the image itself has no compiler.
FROM ${BASE} AS wheel
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . /tmp/blocksight
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /tmp/wheel /tmp/blocksight

FROM ${BASE}

RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium-headless-shell fontconfig fonts-dejavu-core fonts-noto-cjk \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home --uid 10001 reader

RUN --mount=from=wheel,source=/tmp/wheel,target=/tmp/wheel \
    pip install --no-cache-dir "$(echo /tmp/wheel/*.whl)[scale]"

USER reader
ENV PYTHONDONTWRITEBYTECODE=1
EXPOSE 8700
# Inside a container nobody else is at this address; a token is wanted all the same.
CMD ["blocksight", "serve", "--host", "0.0.0.0", "--port", "8700"]
