// SPDX-License-Identifier: Apache-2.0
// The recipes of a deployment. `model` is a model_name(), which needs no quoting anywhere.
#include <fmt/format.h>

#include <algorithm>

#include "engine/serve_http/deployment.hpp"

namespace nw::serve_http {

std::string dns_label(std::string_view model) {
  std::string label = "netwright-";
  for (const char c : model) {
    const bool upper = c >= 'A' && c <= 'Z';
    const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    label += upper ? static_cast<char>(c - 'A' + 'a') : fits ? c : '-';
  }
  label.resize(std::min<std::size_t>(label.size(), 63));
  while (label.ends_with('-')) label.pop_back();
  return label;
}

std::string containerfile(std::string_view model) {
  return fmt::format(R"(# Made by Netwright. Build and try:
#   podman build -t {0} .
#   podman run --rm -p 127.0.0.1:8000:8000 --read-only --cap-drop ALL {0}
FROM docker.io/library/debian:bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libfmt9 libxxhash0 zlib1g libprotobuf-lite32 libsqlite3-0 libstdc++6 \
    libmicrohttpd12 libjpeg62-turbo libpng16-16 libgif7 libopencv-core406 libopencv-imgproc406 libopencv-imgcodecs406 \
 && rm -rf /var/lib/apt/lists/*
COPY bin/ /usr/lib/netwright/
COPY --chown=65532:65532 model/ /model/
USER 65532:65532
EXPOSE 8000
ENTRYPOINT ["/usr/lib/netwright/netwright-cli", "infer-server", "/model/{1}", "--host", "0.0.0.0", "--port", "8000"]
)",
                     dns_label(model), model);
}

std::string kubernetes_yaml(std::string_view model) {
  return fmt::format(R"(# Made by Netwright. Before it is applied, make the token that requests must carry:
#   kubectl create secret generic {0}-token --from-literal=token=$(openssl rand -hex 32)
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {0}
  labels:
    app.kubernetes.io/name: {0}
spec:
  selector:
    matchLabels:
      app.kubernetes.io/name: {0}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {0}
    spec:
      terminationGracePeriodSeconds: 60
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: server
          image: {0}:latest
          args: ["--token-file", "/run/secrets/netwright/token"]
          ports:
            - name: http
              containerPort: 8000
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: ["ALL"]
          startupProbe:
            httpGet:
              path: /v2/health/ready
              port: http
            periodSeconds: 1
            failureThreshold: 60
          readinessProbe:
            httpGet:
              path: /v2/health/ready
              port: http
            periodSeconds: 5
          livenessProbe:
            httpGet:
              path: /v2/health/live
              port: http
            periodSeconds: 10
            failureThreshold: 6
          resources:
            requests:
              cpu: "1"
              memory: 256Mi
            limits:
              memory: 1Gi
          volumeMounts:
            - name: token
              mountPath: /run/secrets/netwright
              readOnly: true
      volumes:
        - name: token
          secret:
            secretName: {0}-token
---
apiVersion: v1
kind: Service
metadata:
  name: {0}
  labels:
    app.kubernetes.io/name: {0}
spec:
  selector:
    app.kubernetes.io/name: {0}
  ports:
    - name: http
      port: 80
      targetPort: http
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {0}
  labels:
    app.kubernetes.io/name: {0}
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {0}
  minReplicas: 1
  maxReplicas: 8
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: 70
)",
                     dns_label(model));
}

}  // namespace nw::serve_http
