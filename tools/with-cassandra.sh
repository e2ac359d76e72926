#!/usr/bin/env bash
# with-cassandra.sh COMMAND...: runs COMMAND with CQL=127.0.0.1:PORT, where a real Cassandra 5 node listens. The node is
# started for it with empty data (about 10 s) and is gone afterwards, however this ends. To keep one: `... sleep infinity`.
# with-cassandra.sh --fetch: only checks and fetches what that needs.
#   CQL                     if set already, that server is used and none is started
#   CASSANDRA_PORT, CASSANDRA_STORAGE_PORT    ports to take (default: free ones, so several can run at once)
#   CASSANDRA_HEAP          512m
#   CASSANDRA_YAML          a file with settings to add (see cassandra/node.sh)
# Everything is under target/cassandra, but for Maven's own cache. COMMAND runs in the
# repository's root, without standard input.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. tools/lib.sh
[ $# -gt 0 ] || die 'usage: tools/with-cassandra.sh COMMAND...'
if [ -n "${CQL:-}" ]; then [ "$1" != --fetch ] || exit 0; exec "$@"; fi

# --- What the node needs
need_node
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
need "$java" 'install Java 17 (or 11), for instance the package openjdk-17-jre-headless, or set CQL=host:port to use a running server'
java_version=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p')
case $java_version in 11 | 17) ;; *) die "Cassandra 5 needs Java 17 or 11 and $java is version ${java_version:-unknown}: set JAVA_HOME to one of these" ;; esac

home=$PWD/target/cassandra lib=$PWD/target/cassandra/lib pom=tools/cassandra/pom.xml
mkdir -p "$home"
if ! cmp -s $pom "$lib/pom.xml"; then
  need mvn 'install Maven (package maven), which fetches Cassandra, or set CQL=host:port to use a running server'
  say 'fetching Cassandra with Maven (66 MB, about 40 s the first time) …'
  fetched=$(mktemp -d "$home/lib.XXXXXX")
  trap 'rm -rf "$fetched"' EXIT
  # Into a log: it writes escape codes even when it has nothing to say.
  mvn -q -B -f $pom dependency:copy-dependencies -DoutputDirectory="$fetched" > "$home/mvn.log" 2>&1 < /dev/null || {
    grep -m 3 ERROR "$home/mvn.log" | cut -c 1-300 >&2 || true
    die "Maven could not fetch Cassandra (all it said is in target/cassandra/mvn.log): check the network and run this again"
  }
  cp $pom "$fetched/pom.xml"
  # Another run may have been faster; its jars are as good.
  if ! cmp -s $pom "$lib/pom.xml"; then rm -rf "$lib"; mv "$fetched" "$lib"; fi
fi

if [ "$1" = --fetch ]; then exit 0; fi

# Two free ports below the range from which systems take ports for outgoing connections; a port from the environment must be free.
ports=$(node -e '
  const listen = (port) => new Promise((done) => {
    const server = require("net").createServer().once("error", () => done()).listen(port, "127.0.0.1", () => done(server));
  });
  (async () => {
    const servers = [];
    for (const [name, given] of [["CASSANDRA_PORT"], ["CASSANDRA_STORAGE_PORT"]].map(([n]) => [n, process.env[n]])) {
      let server;
      if (given) {
        server = await listen(Number(given));
        if (!server) return console.error(`error: port ${given} of 127.0.0.1 is taken: set ${name} to another one, or leave it unset`), process.exit(1);
      }
      while (!server) server = await listen(20000 + Math.floor(Math.random() * 12000));
      servers.push(server);
    }
    console.log(servers.map((server) => server.address().port).join(" "));
    servers.forEach((server) => server.close());
  })()')
read -r PORT STORAGE <<< "$ports"
export PORT STORAGE JAVA=$java HEAP=${CASSANDRA_HEAP:-512m}

# --- The node, and what ends it
run=$(mktemp -d "$home/run.XXXXXX")
log=$run/log
touch "$run/node" "$run/command"

# Waits until this script is gone, in whatever way (even SIGKILL): then the last end of the pipe closes. Only then, and
# only here, are the command and the node ended (each is a process group) and the data removed. The data is temporary,
# so the node need not stop in good order, which takes it seconds.
watchdog() {
  set +e
  trap '' INT TERM HUP
  exec 8< "$run/alive" 9>&- > /dev/null 2>&1
  read -r _ <&8
  local group i
  for group in $(cat "$run/command"); do
    kill -TERM -- "-$group" || continue
    for ((i = 0; i < 20; i++)); do kill -0 -- "-$group" || break; sleep 0.1; done
  done
  for group in $(cat "$run/command" "$run/node"); do kill -KILL -- "-$group"; done
  until rm -rf "$run"; do sleep 0.1; done
}
finish() {
  local status=$? i
  trap '' INT TERM HUP
  exec 9>&-
  for ((i = 0; i < 200; i++)); do [ -d "$run" ] || break; sleep 0.05; done
  exit $status
}
# start FILE COMMAND...: in a process group of its own (set -m), whose number it writes to FILE first.
start() {
  set -m
  (exec 9>&-; echo "$BASHPID" > "$1"; shift; exec "$@") < /dev/null &
  set +m
}

mkfifo "$run/alive"
exec 9<> "$run/alive"
set -m; watchdog < /dev/null & set +m
disown
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

version=$(sed -n '/cassandra-all/,$ s|.*<version>\(.*\)</version>.*|\1|p' $pom | head -1)
say "starting Cassandra $version on 127.0.0.1:$PORT (about 10 s) …"
start "$run/node" tools/cassandra/node.sh "$lib" "$run" ${CASSANDRA_YAML:+"$CASSANDRA_YAML"} > "$log" 2>&1
node=$!
disown

failed() {
  cp "$log" "$home/failed.log"
  { grep -E 'ERROR|Exception|Caused by|[Ee]rror:' "$log" || tail -n 8 "$log"; } | tail -n 8 | cut -c 1-300 >&2
  if grep -qE 'Address already in use|in use by another process' "$log"; then die "a port was taken while Cassandra started ($PORT or $STORAGE on 127.0.0.1): run this again"; fi
  die "Cassandra $1: the lines above are from target/cassandra/failed.log; try again with more memory (CASSANDRA_HEAP=1g), or set CQL=host:port to use a running server"
}
SECONDS=0
until grep -q 'Starting listening for CQL clients' "$log"; do
  kill -0 "$node" 2> /dev/null || failed 'did not come up'
  [ $SECONDS -lt 240 ] || failed 'is not up after 240 s'
  sleep 0.2
done
say "Cassandra is up after $SECONDS s"

export CQL=127.0.0.1:$PORT
unset PORT STORAGE JAVA HEAP
start "$run/command" "$@"
status=0
wait $! || status=$?
exit $status
