# syntax=docker/dockerfile:1
# Pinned by digest where it is built for others: docs/operating.md, "The image".
ARG NODE_IMAGE=node:26-bookworm-slim

# Everything that takes npm and the registry happens here; nothing but its results goes on.
FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --include=dev --no-audit --no-fund
COPY tsconfig.base.json tsconfig.domain.json tsconfig.json tsconfig.server.json tsconfig.web.json vite.config.ts ./
COPY src ./src
COPY scripts ./scripts
RUN node node_modules/vite/bin/vite.js build --logLevel warn
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund
# Of what is installed now, as package.json says it: with `--omit=dev` npm fails here, and before it leaves out what tools need, too, such as zod.
# It names packages with `_`, which no identifier of SPDX may have.
RUN npm pkg delete devDependencies \
 && npm sbom --sbom-format=spdx --sbom-type=application > sbom.json \
 && sed -e ':a' -e 's/\(SPDXRef-[^"]*\)_/\1-/' -e 'ta' sbom.json > sbom.spdx.json

FROM ${NODE_IMAGE}
RUN rm -rf /usr/local/lib/node_modules /usr/local/include /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
      /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
 && mkdir /data && chown 1000:1000 /data && chmod 700 /data
WORKDIR /app
COPY --from=build /build/package.json /build/sbom.spdx.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY --from=build /build/src/server ./src/server
COPY --from=build /build/src/domain ./src/domain
COPY --from=build /build/src/contract ./src/contract
COPY --from=build /build/src/simulator ./src/simulator
COPY docs ./docs
COPY LICENSE SECURITY.md CHANGELOG.md ./
ENV NODE_ENV=production \
    NODE_OPTIONS=--max-semi-space-size=8 \
    MALLOC_MMAP_THRESHOLD_=65536 \
    HOST=0.0.0.0 \
    DATA_DIR=/data \
    LOG_FORMAT=json
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "--max-semi-space-size=1", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Told to stop by SIGTERM; the first process hears it itself.
CMD ["node", "src/server/main.ts"]
