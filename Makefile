# make help lists the targets.

GO ?= go
# How long `make fuzz` runs each fuzz target.
FUZZTIME ?= 20s
# How many things `make chaos` breaks. SEED=... repeats a run.
FAULTS ?= 220

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
.PHONY: help build demo test clients suites chaos lint bench fuzz papers clean needs-go

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

needs-go:
	@command -v $(GO) >/dev/null || { echo 'Go is missing; see https://go.dev/doc/install' >&2; exit 1; }

build: needs-go ## build bin/tacit
	@scripts/install.sh demo
	@echo "Building bin/tacit. The first build compiles PostgreSQL's parser, which takes some minutes."
	$(GO) build -o bin/tacit ./cmd/tacit

demo: build ## a proxy with data to try, and an analyst's session; ONCE=1 ends after the session
	bin/tacit demo $(if $(filter-out 0 no false,$(ONCE)),--once)

test: lint ## check format and code, run all tests
	$(GO) test -count=1 -timeout 40m -p 2 ./...

lint: needs-go
	@scripts/install.sh test
	@files=$$("$$($(GO) env GOROOT)/bin/gofmt" -l $$(find . -name '*.go' -not -path './.cache/*')) && \
		{ test -z "$$files" || { printf 'Not formatted; run gofmt -w on:\n%s\n' "$$files" >&2; exit 1; }; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

clients: build ## run real clients through the proxy: psql, pgcli, Python's drivers and SQLAlchemy, JDBC, ODBC, node-postgres
	@scripts/install.sh clients
	@mkdir -p .cache/clients/node && cp clients/node/package.json clients/node/package-lock.json .cache/clients/node/
	cd .cache/clients/node && npm ci --silent --no-audit --no-fund
	$(GO) run ./clients tools

suites: build ## run the test suites of pgx and lib/pq through the proxy, and compare with PostgreSQL (some minutes)
	@scripts/install.sh test
	$(GO) run ./clients suites

chaos: needs-go ## kill proxies and the ledger's server at random, cut connections, fill disks: nothing is lost, nothing is overspent (some minutes)
	@scripts/install.sh test
	$(GO) test -count=1 -timeout 90m -v ./internal/chaos -faults $(FAULTS) $(if $(SEED),-seed $(SEED))

bench: build ## compare with PostgreSQL asked directly and with pgbouncer, exact noise with floating point, and time the auditor and the ledger
	@scripts/install.sh bench
	$(GO) run ./internal/bench
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./mechanisms/sampling ./mechanisms
	$(GO) test -run '^$$' -bench . -benchtime 1x ./mechanisms/microdata
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./auditor/posterior ./auditor ./auditor/paper
	$(GO) test -run '^$$' -bench . -benchtime 300ms ./accountant/composition
	$(GO) test -run '^$$' -bench . -benchtime 2s ./accountant

fuzz: needs-go ## run each fuzz target for FUZZTIME (20s)
	@scripts/install.sh test
	@grep -r --include='*_test.go' '^func Fuzz' . | sed 's|^\(.*\)/[^/]*:func \(Fuzz[A-Za-z0-9_]*\).*|\1 \2|' | sort -u | \
	while read -r package target; do \
		echo "$$package $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 20x "$$package" || exit 1; \
	done

papers: needs-go ## regenerate the papers' tables and figures in examples/papers/out; DATA=... is the directory with their data sets
	@test -n "$(DATA)" || { echo 'Say where the data sets of the papers are: make papers DATA=../shared/data' >&2; exit 2; }
	CGO_ENABLED=0 $(GO) run ./examples/papers -data "$(DATA)" -out examples/papers/out

clean: ## remove what was built here
	rm -rf bin examples/papers/out
	if [ -d .cache ]; then chmod -R u+w .cache && rm -rf .cache; fi
