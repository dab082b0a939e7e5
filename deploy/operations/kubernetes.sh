# The operations on a cluster, as commands of helm and kubectl: printed, or with --run run, each only after the one before succeeded.
# shellcheck shell=sh disable=SC2154 # names are of the whole script

namespace=${PARLEY_NAMESPACE:-parley}
values=${PARLEY_VALUES:-your-values.yaml}

# do_step <command and arguments>
do_step() {
  echo "$*"
  if [ "$where" = run ]; then "$@" || fail "stopped; what served goes on"; fi
}
remark() { echo "# $*"; }

# helm_upgrade [<arguments>]: migrates, replaces every service, and goes back by itself where that fails (--atomic).
helm_upgrade() {
  do_step helm upgrade parley deploy/helm/parley -n "$namespace" -f "$values" --atomic --timeout 30m "$@"
}

# on_kubernetes <operation> <subject> <name>
on_kubernetes() {
  case $1 in
    install)
      remark "first: $values, from deploy/helm/examples/production.yaml, and the namespace with the Secret parley-secrets (deploy/install.md, On Kubernetes)"
      do_step kubectl get -n "$namespace" secret/parley-secrets
      helm_upgrade --install
      ;;
    upgrade)
      # By digest where deploy/image/build.sh has left them.
      if [ -f "releases/$2/values.yaml" ]; then helm_upgrade -f "releases/$2/values.yaml"; else helm_upgrade --set "image.tag=$2"; fi
      ;;
    apply) helm_upgrade --reuse-values ;;
    rollback) do_step helm rollback parley -n "$namespace" --wait --timeout 30m ;;
    backup)
      remark "the dump of every night (backup.enabled), now; uploads are in the bucket, which keeps versions"
      do_step kubectl create job -n "$namespace" --from=cronjob/backup "backup-$(date -u +%Y%m%d%H%M%S)"
      ;;
    restore)
      remark "with your provider's point-in-time recovery, or pg_restore of a dump, while no service runs (deploy/runbook.md, Backup and restore):"
      do_step kubectl scale -n "$namespace" --replicas=0 deployment/edge deployment/api deployment/gateway deployment/automod deployment/webhook-dispatcher deployment/discord
      remark "then: helm upgrade, as deploy/parley --kubernetes apply prints"
      ;;
    doctor)
      do_step kubectl get -n "$namespace" pods -o wide
      do_step kubectl get -n "$namespace" events --field-selector type=Warning --sort-by .lastTimestamp
      for each in $services; do do_step kubectl rollout status -n "$namespace" --timeout=5s "deployment/$each"; done
      ;;
    promote | rejoin) remark "the operator of PostgreSQL does so by itself: kubectl get -n $namespace cluster (deploy/helm/examples/ha-postgres.yaml)" ;;
    refuse | admit)
      remark "in $values: edge.files, refused.conf, a line 'deny $2;' for each network that is refused; then helm upgrade"
      ;;
    export)
      file=${3:-export.zip}
      echo "kubectl exec -n $namespace deployment/api -- node dist/export-main.js '$2' > $file"
      if [ "$where" = run ]; then
        kubectl exec -n "$namespace" deployment/api -- node dist/export-main.js "$2" > "$file" || fail "nothing was exported"
      fi
      ;;
    admin) do_step kubectl exec -n "$namespace" deployment/api -- node dist/administrators-main.js "$2" ${3:+"$3"} ;;
  esac
}
