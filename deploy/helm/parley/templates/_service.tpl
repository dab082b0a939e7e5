{{- /*
A Deployment of one of the services, of a dict:
  root, name; values: its part of the values; secrets, optionalSecrets: what it reads of the Secret;
  preStopSeconds; graceSeconds: preStop and the steps of its shutdown; minReadySeconds; tmp: the size of /tmp
*/}}
{{- define "parley.deployment" -}}
{{- $values := .root.Values -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .name }}
  labels: {{- include "parley.labels" . | nindent 4 }}
spec:
  {{- if hasKey .values "replicas" }}
  replicas: {{ .values.replicas }}
  {{- else }}
  # No replicas: the autoscaler below decides, and an upgrade must not take its pods away.
  {{- end }}
  selector:
    matchLabels: {{ include "parley.selector" .name }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  {{- with .minReadySeconds }}
  minReadySeconds: {{ . }}
  {{- end }}
  template:
    metadata:
      labels: {{ include "parley.selector" .name }}
      annotations:
        checksum/settings: {{ include (print .root.Template.BasePath "/settings.yaml") .root | sha256sum }}
        {{- with include "parley.secretChecksum" . }}
        checksum/secret: {{ . }}
        {{- end }}
        {{- with $values.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec:
      serviceAccountName: parley
      terminationGracePeriodSeconds: {{ .graceSeconds }}
      {{- include "parley.podSpec" (dict "root" .root "user" 1000) | nindent 6 }}
      {{- include "parley.spread" .name | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ include "parley.image" . }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          ports:
            - { name: http, containerPort: 8080 }
            - { name: metrics, containerPort: 9090 }
          envFrom:
            - configMapRef: { name: parley-settings }
          env: {{- include "parley.environment" . | trim | nindent 12 }}
          # The image starts within seconds; a slow database only delays readiness.
          startupProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 1
            failureThreshold: 60
          livenessProbe:
            httpGet: { path: /health/live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /health/serving, port: http }
            periodSeconds: 5
            timeoutSeconds: 4
            failureThreshold: 2
          lifecycle:
            # Until every proxy has heard that this pod is leaving, it goes on answering.
            preStop: { exec: { command: [sleep, {{ .preStopSeconds | quote }}] } }
          resources: {{ toJson .values.resources }}
          {{- include "parley.containerSecurity" . | nindent 10 }}
          volumeMounts:
            - { name: tmp, mountPath: /tmp }
            {{- with .values.uploadsClaim }}
            - { name: uploads, mountPath: /data/uploads }
            {{- end }}
            {{- include "parley.caMount" .root | nindent 12 }}
      volumes:
        - name: tmp
          emptyDir: { sizeLimit: {{ .tmp }} }
        {{- with .values.uploadsClaim }}
        - name: uploads
          persistentVolumeClaim: { claimName: {{ . }} }
        {{- end }}
        {{- include "parley.caVolume" .root | nindent 8 }}
{{- end }}

{{- /* A headless Service for the edge, which chooses among the pods itself, or one for metrics alone: root, name, http. */}}
{{- define "parley.clusterService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .name }}
  labels: {{- include "parley.labels" . | nindent 4 }}
spec:
  {{- if .http }}
  clusterIP: None
  {{- end }}
  selector: {{ include "parley.selector" .name }}
  ports:
    {{- if .http }}
    - { name: http, port: 8080, targetPort: http }
    {{- end }}
    - { name: metrics, port: 9090, targetPort: metrics }
{{- end }}

{{- /* The head of an autoscaler: root, name, values; metrics and behavior follow it. */}}
{{- define "parley.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .name }}
  labels: {{- include "parley.labels" . | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ .values.minReplicas }}
  maxReplicas: {{ .values.maxReplicas }}
{{- end }}

{{- define "parley.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .name }}
  labels: {{- include "parley.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{ include "parley.selector" .name }}
{{- end }}
