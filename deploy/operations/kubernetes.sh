# The operations on a cluster, as commands of kubectl: printed, or with --run run, each only after the one before succeeded.
# shellcheck shell=sh disable=SC2154 # names are of the whole script

overlay=${PARLEY_OVERLAY:-deploy/kubernetes/overlays/production}

# do_step <command and arguments>
do_step() {
  echo "$*"
  if [ "$where" = run ]; then "$@" || fail "stopped; what served goes on"; fi
}
remark() { echo "# $*"; }

roll_out_on_kubernetes() {
  do_step kubectl delete -n parley job/migrate --ignore-not-found
  do_step kubectl apply -k "$overlay" -l app.kubernetes.io/name=migrate
  do_step kubectl wait -n parley --for=condition=complete --timeout=30m job/migrate
  do_step kubectl apply -k "$overlay"
  for each in $services; do
    do_step kubectl rollout status -n parley --timeout=60m "deployment/$each"
  done
}

# on_kubernetes <operation> <subject> <name>
on_kubernetes() {
  case $1 in
    install)
      remark "first: tags, origin and bucket in $overlay, and the Secret parley-secrets (deploy/README.md, On Kubernetes)"
      do_step kubectl apply -f "$overlay/namespace.yaml"
      do_step kubectl get -n parley secret/parley-secrets
      roll_out_on_kubernetes
      ;;
    upgrade)
      remark "first: a backup, and the tag $2 in $overlay/kustomization.yaml"
      roll_out_on_kubernetes
      ;;
    apply)
      roll_out_on_kubernetes
      remark "settings are in a ConfigMap with a hash in its name; a changed Secret alone restarts nothing:"
      do_step kubectl rollout restart -n parley deployment
      ;;
    rollback)
      for each in $services; do do_step kubectl rollout undo -n parley "deployment/$each"; done
      ;;
    doctor)
      do_step kubectl get -n parley pods -o wide
      do_step kubectl get -n parley events --field-selector type=Warning --sort-by .lastTimestamp
      for each in $services; do do_step kubectl rollout status -n parley --timeout=5s "deployment/$each"; done
      ;;
    admin)
      do_step kubectl exec -n parley deployment/api -- node dist/administrators-main.js "$2" ${3:+"$3"}
      ;;
    backup | restore)
      fail "the database and the bucket of a cluster are elsewhere: use what they offer (deploy/README.md, Backup and restore)"
      ;;
  esac
}
