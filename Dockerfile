# An image of the proxy alone (and a stage for compose.yaml): the program, certificates of authorities, and an account without privileges.
#
#   docker build -t tacit .
#   docker run -v ./policy.yaml:/etc/tacit/policy.yaml:ro -v tacit-ledger:/var/lib/tacit -p 6432:6432 tacit
#
# The policy needs listen: 0.0.0.0:6432, auth: scram, tls, and ledger: sqlite:/var/lib/tacit/tacit.db.
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
# PostgreSQL's parser is C, so that the program needs the C library of the image below, which is Debian's of the same version.
RUN CGO_ENABLED=1 go build -buildvcs=false -trimpath -o /tacit ./cmd/tacit && install -d -m 0700 /ledger

# What compose.yaml sets PostgreSQL up with: the program, psql and openssl.
FROM postgres:17-bookworm AS setup
COPY --from=build /tacit /usr/bin/tacit

FROM debian:bookworm-slim
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /tacit /usr/bin/tacit
COPY --from=build --chown=65532:65532 /ledger /var/lib/tacit
VOLUME /var/lib/tacit
EXPOSE 6432
USER 65532:65532
ENTRYPOINT ["/usr/bin/tacit"]
CMD ["serve", "--policy", "/etc/tacit/policy.yaml"]
