#!/usr/bin/env bash
# node.sh LIB DIR [EXTRA_YAML]: one Cassandra node in the foreground, on 127.0.0.1. Use tools/with-cassandra.sh instead,
# which finds the ports, waits for the node, and takes it down again.
#   LIB         the jars of pom.xml
#   DIR         an empty folder; the node keeps all it writes in there
#   EXTRA_YAML  settings to add, for instance an authenticator or TLS; without it everyone may do everything
# From the environment: PORT (CQL), STORAGE (the port between nodes), HEAP (512m), JAVA, and JAVA_EXTRA (more arguments).
# Ready when it prints "Starting listening for CQL clients".
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
lib=$(cd "$1" && pwd) dir=$(cd "$2" && pwd) extra=${3:-}

sed "s|@DIR@|$dir|; s|@PORT@|$PORT|; s|@STORAGE@|$STORAGE|" "$here/cassandra.yaml" > "$dir/cassandra.yaml"
if [ -n "$extra" ]; then
  cat "$extra"
else
  printf 'authenticator: AllowAllAuthenticator\nauthorizer: AllowAllAuthorizer\n'
fi >> "$dir/cassandra.yaml"

# Plain %d: logback takes a comma inside %d{...} for the start of a time zone.
cat > "$dir/logback.xml" <<'X'
<configuration>
  <appender name="OUT" class="ch.qos.logback.core.ConsoleAppender">
    <encoder><pattern>%-5level %d %logger{20} %msg%n</pattern></encoder>
  </appender>
  <root level="INFO"><appender-ref ref="OUT"/></root>
</configuration>
X

cd "$dir" # where a crash report goes
# shellcheck disable=SC2086  # JAVA_EXTRA is a list
exec "${JAVA:-java}" @"$here/jvm.options" -Xmx"${HEAP:-512m}" ${JAVA_EXTRA:-} \
  -Djava.io.tmpdir="$dir" \
  -Dcassandra.config="file://$dir/cassandra.yaml" \
  -Dlogback.configurationFile="$dir/logback.xml" \
  -Dcassandra.storagedir="$dir" \
  -cp "$lib/*" org.apache.cassandra.service.CassandraDaemon
