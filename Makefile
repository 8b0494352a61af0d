# make help lists the targets.

GO ?= go
# How long `make fuzz` runs each fuzz target.
FUZZTIME ?= 20s
# How many things `make chaos` breaks. SEED=... repeats a run.
FAULTS ?= 220
# How long `make soak` asks.
SOAK ?= 1h
# GO_ON=1 has `make clients`, `make servers` and `make matrix` go on without what cannot be installed here. They name it.
GO_ON ?=
# The major versions of PostgreSQL that `make matrix` runs tests against; SHORT=1 takes the newest and the oldest.
VERSIONS ?= $(if $(SHORT),18 14,18 17 16 15 14)

# A machine without a home directory, such as a build container, keeps the caches of Go and staticcheck in the tree.
ifeq ($(strip $(HOME)$(XDG_CACHE_HOME)),)
export XDG_CACHE_HOME := $(CURDIR)/.cache
endif
ifeq ($(strip $(HOME)$(GOPATH)),)
export GOPATH := $(CURDIR)/.cache/go
endif

# PostgreSQL's parser is C. Stamping the version fails in a tree that is no repository, or not its user's.
export CGO_ENABLED := 1
export GOFLAGS := $(strip $(shell $(GO) env GOFLAGS 2>/dev/null) -buildvcs=false)

.DEFAULT_GOAL := help
.PHONY: help build demo test long test-all containers clients suites servers matrix chaos soak lint bench fuzz mutants papers accuracy release clean needs-go

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

needs-go:
	@command -v $(GO) >/dev/null || { echo 'Go is missing; see https://go.dev/doc/install' >&2; exit 1; }

build: needs-go ## build bin/tacit
	@scripts/install.sh demo
	@echo "Building bin/tacit. The first build compiles PostgreSQL's parser, which takes some minutes."
	$(GO) build -o bin/tacit ./cmd/tacit

demo: build ## a proxy with data to try, and an analyst's session; ONCE=1 ends after the session
	bin/tacit demo $(if $(filter-out 0 no false,$(ONCE)),--once)

# What was linted needs no second vet. Four packages at once fill two cores, since some tests wait more than they compute. The packages that take
# longest come first, so that they do not run alone in the end. The collector of garbage runs less often: there is memory. Programs without
# symbols are linked sooner, and those that are kept in .cache/tests are not linked again while nothing of them changes: half a minute for all.
# They have the last element of a package's path for a name, so that no two packages with tests may share it.
# What breaks proxies and servers at random is in `make chaos`, and so in `make test-all`.
test: lint ## check format and code, run all tests, the longest of them in short
	GOGC=400 $(GO) test -short -count=1 -timeout 40m -vet=off -ldflags=-s -o .cache/tests/ -p 4 ./release ./rewrite $$($(GO) list ./... | grep -v '/internal/chaos$$')

long: needs-go ## run in full the tests that `make test` shortens
	@scripts/install.sh test
	$(GO) test -count=1 -timeout 40m -vet=off -p 2 ./release $$(grep -rl --include='*_test.go' --exclude-dir=.cache 'testing.Short()' . | xargs -n1 dirname | sort -u | grep -v internal/chaos)

test-all: needs-go ## run what guards a promise and is not in `make test`: the longest tests, containers, a release, clients, suites, other servers, fuzz, chaos (some 30 minutes)
	@MAKE='$(MAKE)' scripts/steps.sh long containers release 'clients GO_ON=1 SHORT=1' suites 'matrix GO_ON=1 SHORT=1' 'fuzz FUZZTIME=3s' 'chaos FAULTS=40'

lint: needs-go
	@scripts/install.sh test
	@files=$$("$$($(GO) env GOROOT)/bin/gofmt" -l $$(find . -name '*.go' -not -path './.cache/*')) && \
		{ test -z "$$files" || { printf 'Not formatted; run gofmt -w on:\n%s\n' "$$files" >&2; exit 1; }; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

containers: needs-go ## check Dockerfile and compose.yaml; where Docker runs, build the image, start what compose.yaml says and ask for a count
	@GO='$(GO)' scripts/containers.sh

clients: build ## run real clients through the proxy: psql, Python's, Java's, ODBC's and JavaScript's drivers, Prisma, R, Cube, Evidence, LibreOffice; and the console's pages in Chromium, with axe-core
	@GO_ON=$(GO_ON) SHORT=$(SHORT) scripts/install.sh clients
	@GO_ON=$(GO_ON) clients/psql.sh
	@GO_ON=$(GO_ON) clients/npm.sh node axe $(if $(SHORT),,cube evidence)
	$(GO) run ./clients$(if $(GO_ON), -go-on)$(if $(SHORT), -short) tools
	@if command -v chromium >/dev/null && test -e .cache/clients/axe/installed.json; then $(GO) test ./console -run InBrowser -browser; \
	else echo 'NOT RUN: the console in a browser; chromium or axe-core is missing'; $(if $(GO_ON),true,false); fi

suites: build ## run the test suites of pgx and lib/pq through the proxy, and compare with PostgreSQL (some minutes)
	@scripts/install.sh test
	$(GO) run ./clients suites

servers: ## install the servers of PostgreSQL 14 to 18 in .cache/servers, for tests
	@GO_ON=$(GO_ON) scripts/install.sh servers
	@GO_ON=$(GO_ON) scripts/servers.sh

matrix: needs-go servers ## run the tests that touch a server against PostgreSQL 14 to 18; SHORT=1 is a short form, VERSIONS=... and PACKAGES=... choose
	@scripts/install.sh test
	@GO='$(GO)' GO_ON=$(GO_ON) SHORT=$(SHORT) PACKAGES='$(PACKAGES)' scripts/matrix.sh $(VERSIONS)

chaos: needs-go ## kill proxies and the ledger's server at random, cut connections, fill disks: nothing is lost, nothing is overspent (some minutes)
	@scripts/install.sh test
	$(GO) test -count=1 -timeout 90m -v ./internal/chaos -faults $(FAULTS) $(if $(SEED),-seed $(SEED))

soak: needs-go ## have one proxy do all that it does for SOAK (1h): times by interval, memory flat, nothing left behind, the ledger verifies
	@scripts/install.sh test
	$(GO) test -count=1 -timeout 0 -v -run TestSoak ./internal/chaos -soak $(SOAK)

bench: build ## compare with PostgreSQL asked directly and with pgbouncer, exact noise with floating point, and time the auditor and the ledger
	@scripts/install.sh bench
	$(GO) run ./internal/bench
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./mechanisms/sampling ./mechanisms
	$(GO) test -run '^$$' -bench . -benchtime 1x ./mechanisms/microdata
	$(GO) test -run '^$$' -bench Curve -benchtime 300ms ./risk
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./auditor/posterior ./auditor ./examples/papers/contingency/suppressor
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./accountant/composition
	$(GO) test -run '^$$' -bench . -benchtime 2s ./accountant/ledger

fuzz: needs-go ## run each fuzz target for FUZZTIME (20s)
	@scripts/install.sh test
	@GO='$(GO)' scripts/fuzz.sh $(FUZZTIME)

mutants: needs-go ## change N (200) places of the code, one at a time, and see which changes no test notices; SEED=..., LIMIT=5m for each package, DIRS=...
	@scripts/install.sh test
	ulimit -v 16000000 && $(GO) run ./internal/mutants -n $(or $(N),200) -seed $(or $(SEED),1) -limit $(or $(LIMIT),5m) $(or $(DIRS),accountant rewrite release mechanisms auditor)

papers: needs-go ## regenerate the papers' tables and figures in examples/papers/out; DATA=... is the directory with their data sets
	@test -n "$(DATA)" || { echo 'Say where the data sets of the papers are: make papers DATA=../shared/data' >&2; exit 2; }
	CGO_ENABLED=0 $(GO) run ./examples/papers -data "$(DATA)" -out examples/papers/out

accuracy: needs-go ## ask 200 statements of dashboards in several ways for the same loss, and compare the errors; DATA=... is a directory with adult_train.csv
	@scripts/install.sh test
	$(GO) run ./examples/accuracy $(if $(DATA),-data "$(DATA)") -out examples/accuracy/out
	@cat examples/accuracy/out/table.md

release: needs-go ## make archives, .deb, .rpm, bills of materials and checksums in dist/, for linux on amd64 and arm64; VERSION=... is another version
	@scripts/install.sh release
	@GO='$(GO)' $(if $(VERSION),VERSION='$(VERSION)') scripts/release.sh dist

clean: ## remove what was built here
	rm -rf bin dist examples/papers/out examples/accuracy/out
	if [ -d .cache ]; then chmod -R u+w .cache && rm -rf .cache; fi
