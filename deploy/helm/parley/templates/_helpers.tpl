{{- /* Labels of an object: a dict of root and, where it belongs to one, the name of the service. */}}
{{- define "parley.labels" -}}
app.kubernetes.io/part-of: parley
{{- with .name }}
app.kubernetes.io/name: {{ . }}
{{- end }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | quote }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- /* What selects the pods of a service, by its name. */}}
{{- define "parley.selector" -}}
{ app.kubernetes.io/name: {{ . }}, app.kubernetes.io/part-of: parley }
{{- end }}

{{- /* The image of a dict of root and name. */}}
{{- define "parley.image" -}}
{{- $image := .root.Values.image -}}
{{- $registry := required "image.registry has to say where the images are, as registry.example.com/parley" $image.registry -}}
{{- $repository := printf "%s/%s" (trimSuffix "/" $registry) .name -}}
{{- with index $image.digests .name -}}
{{ $repository }}@{{ . }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* What all pods have: a dict of root and the user that they run as. */}}
{{- define "parley.podSpec" -}}
automountServiceAccountToken: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toJson . }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toJson . }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .user }}
  runAsGroup: {{ .user }}
  fsGroup: {{ .user }}
  seccompProfile: { type: RuntimeDefault }
  {{- with .root.Values.sysctls }}
  sysctls:
    {{- range $name, $value := . }}
    - { name: {{ $name }}, value: {{ $value | quote }} }
    {{- end }}
  {{- end }}
{{- end }}

{{- define "parley.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- /* Spread over zones and machines, where there are several; of the pods with the name. */}}
{{- define "parley.spread" -}}
topologySpreadConstraints:
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - maxSkew: 1
    topologyKey: {{ . }}
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: { app.kubernetes.io/name: {{ $ }} }
  {{- end }}
{{- end }}

{{- /* Variables from the Secret: a dict of root, secrets and optionalSecrets, and the authority's certificate. */}}
{{- define "parley.environment" -}}
{{- $secret := .root.Values.secretName }}
{{- range .secrets }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }} } }
{{- end }}
{{- range .optionalSecrets }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $secret }}, key: {{ . }}, optional: true } }
{{- end }}
{{- if .root.Values.ca.configMap }}
- { name: NODE_EXTRA_CA_CERTS, value: /etc/parley/ca/{{ .root.Values.ca.key }} }
{{- end }}
{{- end }}

{{- define "parley.caMount" -}}
{{- if .Values.ca.configMap }}
- { name: ca, mountPath: /etc/parley/ca, readOnly: true }
{{- end }}
{{- end }}

{{- define "parley.caVolume" -}}
{{- if .Values.ca.configMap }}
- name: ca
  configMap: { name: {{ .Values.ca.configMap }} }
{{- end }}
{{- end }}

{{- /* What the service reads of the Secret, as a checksum; nothing where the cluster is not asked. */}}
{{- define "parley.secretChecksum" -}}
{{- $found := (lookup "v1" "Secret" .root.Release.Namespace .root.Values.secretName).data -}}
{{- if $found -}}
{{- $read := dict -}}
{{- range concat .secrets (.optionalSecrets | default list) -}}
{{- $_ := set $read . (index $found . | default "") -}}
{{- end -}}
{{- toJson $read | sha256sum -}}
{{- end -}}
{{- end }}
