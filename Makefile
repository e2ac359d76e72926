# Each target is a script in tools/, which installs or fetches what it needs (into target/ and node_modules/ where it can).
# CQL=host:port makes demo and test use a server that runs already, e.g. `make demo CQL=127.0.0.1:9042`.

.PHONY: help demo test bench fuzz build docs clean

help:
	@echo 'make demo    build, start a real Cassandra, show what the codec and the client do (3 minutes the first time, then 20 s)'
	@echo 'make test    everything: Rust, types, the package in Node.js, Deno and Chromium, live tests, README, wasm-pack'
	@echo 'make bench   measure: every peer, the copy floor, growth, runtimes; writes docs/performance.md and its pictures (15 minutes)'
	@echo 'make fuzz    the fuzzer: each target for T seconds (T=60), two at a time'
	@echo 'make build   the npm package, in pkg/'
	@echo 'make docs    the API reference of the package and of the crate, in target/docs/'
	@echo 'make clean   remove all that these made here'
	@echo 'demo and test take CQL=host:port to use a running server'

demo:
	@tools/demo.sh

test:
	@tools/test.sh

bench:
	@benches/run.sh

fuzz:
	@tools/fuzz.sh $(T)

build:
	@tools/build.sh

docs:
	@tools/reference.sh

clean:
	rm -rf target pkg node_modules js-tests/load/node_modules tools/reference/node_modules
