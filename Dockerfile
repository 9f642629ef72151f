# A small image of a service of this workspace: docker build --build-arg PACKAGE=address-book -t address-book .
FROM rust:1-slim-bookworm AS build
ARG PACKAGE=address-book
WORKDIR /build
# The C compiler builds the embedded SQLite.
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry --mount=type=cache,target=/build/target \
    cargo build --locked --release -p "$PACKAGE" && cp "target/release/$PACKAGE" /service

FROM debian:bookworm-slim
# Certificates, to verify the database's. The service runs without rights, and writes in /data alone.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home service && install -d -o service /data
COPY --from=build /service /usr/local/bin/service
USER service
WORKDIR /data
VOLUME /data
# A platform may set another port, at which a service listens at all addresses of IPv4. LISTEN_ADDR would win over it, and is
# not what the health check asks.
ENV PORT=8080 DATABASE_URL=sqlite:///data/service.db
EXPOSE 8080
# The process is told to stop, not its shell, and answers its last requests.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["service"]
