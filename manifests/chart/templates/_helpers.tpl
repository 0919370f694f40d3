{{- /* What every object and pod of the chart is found by. */ -}}
{{- define "tandem.selector" -}}
app.kubernetes.io/name: tandem
app.kubernetes.io/component: cloud-controller-manager
{{- end }}

{{- define "tandem.labels" -}}
{{ include "tandem.selector" . }}
{{- end }}

{{- /* By its digest, or else by its tag. */ -}}
{{- define "tandem.image" -}}
{{- $image := .Values.image -}}
{{- $path := printf "%s/%s" $image.registry $image.repository -}}
{{- if $image.digest -}}
{{ $path }}@{{ $image.digest }}
{{- else -}}
{{ $path }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* The object that has the file of --cloud-config; empty where there is none. */ -}}
{{- define "tandem.cloudConfigName" -}}
{{- if .Values.cloudConfig.content -}}
{{ .Values.name }}-cloud-config
{{- else -}}
{{ .Values.cloudConfig.name }}
{{- end -}}
{{- end }}

{{- define "tandem.cloudConfigKey" -}}
{{- $usual := dict "static" "inventory.yaml" "aws" "cloud.conf" "azure" "azure.json" -}}
{{- .Values.cloudConfig.key | default (get $usual .Values.cloudProvider) | default "cloud.conf" -}}
{{- end }}

{{- /* The file of --config. */ -}}
{{- define "tandem.configuration" -}}
apiVersion: tandem.dev/v1alpha1
kind: ManagerConfiguration
{{ toYaml .Values.configuration }}
{{- end }}

{{- /* Those that run, in the order of the values. */ -}}
{{- define "tandem.controllers" -}}
{{- $on := list -}}
{{- range $name, $isOn := .Values.controllers -}}
{{- if $isOn }}{{ $on = append $on $name }}{{ end -}}
{{- end -}}
{{- join "," $on -}}
{{- end }}

{{- /* One flag of args: lists have commas, numbers are written out. */ -}}
{{- define "tandem.flagValue" -}}
{{- if kindIs "slice" . -}}
{{ join "," . }}
{{- else if kindIs "string" . -}}
{{ . }}
{{- else -}}
{{ toJson . }}
{{- end -}}
{{- end }}

{{- /* Those that a list such as metrics.readers or viewers names. */ -}}
{{- define "tandem.subjects" -}}
{{- range . }}
- kind: {{ .kind }}
  name: {{ .name | quote }}
  {{- if eq .kind "ServiceAccount" }}
  namespace: {{ .namespace | quote }}
  {{- else }}
  apiGroup: rbac.authorization.k8s.io
  {{- end }}
{{- end }}
{{- end }}
