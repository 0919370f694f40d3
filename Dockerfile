# The manager as an image: the compiled bundle on a Node.js base, and nothing else.
#
#     npm ci
#     buildah build --build-arg COMMIT=$(git rev-parse HEAD) -t NAME .
#
# `npm ci` comes first because the first stage fetches nothing: it bundles what the lock file has pinned
# and npm has verified. Any base with Node.js 24 or newer will do; neither stage needs a shell. The bundle is
# JavaScript alone, so that the first stage runs on the machine that builds, whatever platform the image is
# for; the second one runs nothing. docs/guides/build-the-image.md has the rest.

# By tag here; a release pins the digest.
ARG BASE=gcr.io/distroless/nodejs24-debian12:nonroot
# The base that bundles.
ARG BUILDER=${BASE}

FROM --platform=$BUILDPLATFORM ${BUILDER} AS bundle
USER 0:0
# Where the usual bases have `node`; the last is distroless's.
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/nodejs/bin
WORKDIR /src
COPY . .
# The build reads it as a variable.
ARG COMMIT=unknown
RUN ["node", "tools/build/main.ts", "--output", "/opt/tandem"]

# The platform is named because buildah 1.28 would keep that of the first stage.
FROM --platform=$TARGETPLATFORM ${BASE}
ARG BASE
ARG COMMIT=unknown
ARG VERSION=0.0.0
ARG CREATED=""
LABEL org.opencontainers.image.title="Tandem" \
      org.opencontainers.image.description="A cloud-controller-manager for dual-stack Kubernetes nodes" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${COMMIT}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.base.name="${BASE}"
COPY LICENSE /licenses/LICENSE
COPY --from=bundle /opt/tandem /opt/tandem
# packages/manager/memory.env says what the two memory settings are for; a test keeps them equal.
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/nodejs/bin \
    MALLOC_ARENA_MAX=1 \
    NODE_OPTIONS=--max-semi-space-size=8
USER 65532:65532
EXPOSE 10258
ENTRYPOINT ["node", "/opt/tandem/cloud-controller-manager.js"]
CMD []
