# doctor: what is wrong, in words, with the way out. Changes nothing; ends with 1 where something is wrong.
# shellcheck shell=sh disable=SC2046,SC2086,SC2154 # lists of containers are split; names are of the whole script

problems=0
wrong() {
  problems=$((problems + 1))
  printf 'WRONG  %s\n       %s\n' "$1" "$2"
}
note() { printf 'note   %s\n' "$1"; }
good() { printf 'good   %s\n' "$1"; }

# metric <service> <name>: its values over all processes, one a line.
metric() {
  for id in $(containers "$1" --filter status=running); do
    docker exec "$id" node -e "
      require('node:http').get('http://127.0.0.1:9090/metrics', (answer) => {
        let text = ''
        answer.on('data', (part) => (text += part)).on('end', () => {
          for (const line of text.split('\n')) if (/^$2[ {]/.test(line)) console.log(line.split(' ').at(-1))
        })
      }).on('error', () => process.exit(1))" 2> /dev/null || true
  done
}

doctor() {
  examine_machine
  configure
  examine_settings
  for each in $servers $services; do examine "$each"; done
  examine_versions
  if ! find_primary; then
    wrong "${reason%%: *}" "${reason#*: }"
    reason=
  elif [ -n "$(first_running "$primary")" ]; then
    examine_database
  fi
  if [ -n "$(first_running nats)" ]; then examine_events; fi
  examine_edge
  examine_backups
  if [ "$problems" -gt 0 ]; then fail "$problems wrong"; fi
  say "nothing is wrong"
}

examine_machine() {
  free=$(free_disk_mb)
  if [ "${free:-0}" -lt 2000 ]; then
    wrong "the disk has ${free:-0} MB left" "PostgreSQL refuses writes when it is full: docker image prune, or a larger disk (deploy/sizing.md, Growth)"
  else
    good "$free MB of the disk are free"
  fi
  available=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  if [ "$available" -lt 300 ]; then wrong "$available MB of memory are available" "fewer processes (API_SCALE, GATEWAY_SCALE), or more memory"; fi
}

examine_settings() {
  others=$(find "$settings" -perm /077)
  if [ -n "$others" ]; then wrong "others may read $settings, which has the secrets" "chmod 600 $settings"; fi
  folder=$(setting SECRETS)
  if [ -z "$folder" ]; then
    note "the secrets are in $settings, so docker inspect shows them: deploy/make-env.sh --move (deploy/install.md, Secrets as files)"
  elif [ -n "$(find "$folder" -maxdepth 0 -perm /077)" ]; then
    wrong "others may read $folder, which has the secrets" "chmod 700 $folder"
  fi
  url=$(setting PUBLIC_URL)
  address=$(setting EDGE_ADDRESS)
  case $url in
    https://*) ;;
    '') note "PUBLIC_URL is not set: mails name the address at which each account asked for them" ;;
    *) wrong "PUBLIC_URL is $url" "browsers give pages without TLS neither microphone nor notifications: deploy/install.md, TLS" ;;
  esac
  case ${address:-0.0.0.0} in
    127.* | '[::1]') ;;
    *) port=$(setting EDGE_PORT) && note "everybody reaches port ${port:-8080} without TLS: EDGE_ADDRESS=127.0.0.1 behind a proxy with TLS" ;;
  esac
}

# examine <service>
examine() {
  found=$(containers "$1")
  if [ -z "$found" ]; then
    wrong "$1 does not run" "docker compose up --detach"
    return
  fi
  for id in $found; do
    state=$(docker inspect --format '{{.Name}} {{.State.Status}} {{.RestartCount}} {{.State.OOMKilled}} {{.State.StartedAt}} {{with .State.Health}}{{.Status}}{{end}}' "$id")
    # shellcheck disable=SC2034 # the rest of the line
    read -r name status restarts oom started health << END
$state
END
    name=${name#/}
    case $status:$health in
      running:healthy | running:starting) ;;
      *)
        wrong "$name is $status${health:+, $health}" "its last lines follow; deploy/install.md, When it does not start"
        docker logs --tail 3 "$id" 2>&1 | cut -c 1-300 | sed 's/^/         /'
        ;;
    esac
    if [ "$oom" = true ]; then wrong "$name was ended for lack of memory" "a larger mem_limit in docker-compose.yml, or more processes of it"; fi
    if [ "$restarts" -gt 5 ]; then
      wrong "$name was restarted $restarts times" "docker logs $name"
    elif [ "$restarts" -gt 0 ]; then
      note "$name has died and started again $restarts times, last at $started: docker logs $name"
    fi
  done
  wanted=$(configured "$1" scale)
  running=$(containers "$1" --filter status=running | wc -w)
  if [ "$running" -lt "${wanted:-1}" ]; then wrong "$running of ${wanted:-1} processes of $1 run" "docker compose up --detach --no-recreate"; fi
}

examine_versions() {
  old=
  for each in $services; do
    if [ -n "$(outdated "$each")" ]; then old="$old $each"; fi
  done
  if [ -n "$old" ]; then
    wrong "these run with other settings or images than are configured:$old" "deploy/parley apply replaces them without an outage"
  else
    good "$(running)"
  fi
  for each in $servers; do
    if [ -n "$(outdated "$each")" ]; then note "$each has other settings than it runs with: $(by_hand "$each"), with an outage"; fi
  done
}

examine_database() {
  examine_standby
  administrators=$(echo 'SELECT count(*) FROM users WHERE is_admin OR admin_by_setting' | sql --tuples-only --no-align 2> /dev/null) || administrators=
  case $administrators in
    '') wrong "the database does not answer, or has no tables" "docker compose logs postgres; docker compose up migrate" ;;
    0) note "nobody is administrator: deploy/parley admin add <name>" ;;
    *) good "$administrators administrators" ;;
  esac
  used=$(echo "SELECT round(100.0 * count(*) / current_setting('max_connections')::int) FROM pg_stat_activity" | sql --tuples-only --no-align 2> /dev/null) || used=0
  if [ "${used:-0}" -gt 80 ]; then wrong "$used % of PostgreSQL's connections are used" "fewer processes, a smaller DATABASE_POOL_MAX, or a larger max_connections"; fi
  waiting=$(echo "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND state_change < now() - interval '5 seconds'" |
    sql --tuples-only --no-align 2> /dev/null) || waiting=0
  if [ "${waiting:-0}" -gt 0 ]; then wrong "$waiting statements have waited for a lock for 5 seconds" "pg_blocking_pids(pid) in pg_stat_activity says for whom"; fi
}

# examine_standby: where there is to be one.
examine_standby() {
  case $databases in *' '?*) ;; *) return ;; esac
  followers=$(echo "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'" | sql --tuples-only --no-align 2> /dev/null) || followers=0
  if [ "${followers:-0}" -gt 0 ]; then
    good "$primary takes writes, and $followers follow it"
  else
    wrong "$primary takes writes, and no other PostgreSQL follows it" "deploy/parley rejoin takes the other one back; meanwhile writes may wait (deploy/runbook.md, Failover)"
  fi
}

examine_events() {
  oldest=$(metric api outbox_oldest_event_age_seconds | sort -n | tail -n 1)
  case ${oldest%%.*} in
    '' | [0-9]) ;;
    *) wrong "events wait in the outbox for ${oldest%%.*} s" "NATS is away, or its disk is full; then make room and docker compose restart nats (deploy/runbook.md, Outages of the servers)" ;;
  esac
}

examine_edge() {
  id=$(first_running edge)
  if [ -z "$id" ]; then return; fi
  # In the network namespace that has the published port.
  port=$(first_running edge-port)
  if docker exec "$port" wget -q -O /dev/null http://127.0.0.1:8080/health/serving 2> /dev/null; then
    good "the edge answers"
  elif ! docker exec "$port" wget -q -O /dev/null http://127.0.0.1:8080/app/ 2> /dev/null; then
    wrong "no edge listens at the published port" "docker compose restart edge, which joins the network of edge-port; it does so by itself within seconds when that has died"
  else
    wrong "the apis do not answer through the edge" "docker compose logs edge api"
  fi
  if ! docker exec "$id" test -e /etc/nginx/tls/tls.crt; then return; fi
  if ! docker exec "$id" cat /etc/nginx/tls/tls.crt | openssl x509 -noout -checkend 1209600 > /dev/null 2>&1; then
    wrong "the certificate ends within 14 days" "renew it: new files are read at the next handshake"
  fi
}

examine_backups() {
  newest=$(sed -n 's/.* //p' "$textfile" 2> /dev/null || true)
  if [ -z "$newest" ]; then
    note "there was no deploy/parley backup yet"
  elif [ "$(($(date +%s) - newest))" -gt 93600 ]; then
    wrong "the last backup is $((($(date +%s) - newest) / 3600)) hours old" "deploy/parley backup --keep 14, every night"
  else
    good "the last backup is $((($(date +%s) - newest) / 3600)) hours old"
  fi
}
