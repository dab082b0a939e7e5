import { z } from "zod";

// The shape of every object of a kind here; keys that a shape does not name may be anything.

const Probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const SecurityContext = z.object({
  allowPrivilegeEscalation: z.literal(false),
  readOnlyRootFilesystem: z.literal(true),
  capabilities: z.object({ drop: z.tuple([z.literal("ALL")]) }),
  privileged: z.undefined().optional(),
});
const Lifecycle = z.object({
  preStop: z.object({ exec: z.object({ command: z.tuple([z.literal("sleep"), z.coerce.number()]) }) }),
});
const Resources = z.object({
  requests: z.object({ cpu: z.string(), memory: z.string() }),
  limits: z.object({ memory: z.string() }),
});
const Variable = z.object({
  name: z.string(),
  valueFrom: z.object({
    secretKeyRef: z.object({ name: z.string(), key: z.string(), optional: z.boolean().optional() }),
  }),
});
const PodSpec = z.object({
  automountServiceAccountToken: z.literal(false),
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    seccompProfile: z.object({ type: z.literal("RuntimeDefault") }),
  }),
  hostNetwork: z.undefined().optional(),
  hostPID: z.undefined().optional(),
});
export const Deployment = z.object({
  spec: z.object({
    strategy: z.object({ rollingUpdate: z.object({ maxUnavailable: z.literal(0) }) }),
    selector: z.object({ matchLabels: z.record(z.string(), z.string()) }),
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: PodSpec.extend({
        terminationGracePeriodSeconds: z.number(),
        topologySpreadConstraints: z.array(z.object({ topologyKey: z.string() })),
        containers: z.tuple([
          z.object({
            image: z.string(),
            ports: z.array(z.object({ name: z.string(), containerPort: z.number() })),
            envFrom: z.tuple([z.object({ configMapRef: z.object({ name: z.string() }) })]),
            env: z.array(Variable),
            startupProbe: Probe,
            livenessProbe: Probe,
            readinessProbe: Probe,
            lifecycle: Lifecycle,
            resources: Resources,
            securityContext: SecurityContext,
          }),
        ]),
      }),
    }),
  }),
});
export const Policy = z.object({
  spec: z.object({
    podSelector: z.unknown(),
    policyTypes: z.array(z.string()),
    ingress: z
      .array(z.object({ from: z.array(z.unknown()).optional(), ports: z.array(z.object({ port: z.number() })) }))
      .optional(),
  }),
});

export const Migration = z.object({
  spec: z.object({
    template: z.object({
      spec: PodSpec.extend({
        restartPolicy: z.literal("Never"),
        containers: z.tuple([
          z.object({ env: z.array(Variable), resources: Resources, securityContext: SecurityContext }),
        ]),
      }),
    }),
  }),
});

export const Scaler = z.object({
  spec: z.object({
    scaleTargetRef: z.object({ name: z.string() }),
    metrics: z.array(z.object({ type: z.string() })),
  }),
});

export const Service = z.object({
  spec: z.object({
    selector: z.record(z.string(), z.string()),
    ports: z.array(z.object({ name: z.string(), targetPort: z.string() })),
  }),
});

/** The common parts of the edge and the services. */
export const Container = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({ containers: z.tuple([z.looseObject({ image: z.string(), resources: Resources })]) }),
    }),
  }),
});

/** How many pods a Deployment or its autoscaler has at most. */
export const Sizes = z.object({ maxReplicas: z.number().optional(), replicas: z.number().optional() });

export const Egress = z.object({
  spec: z.object({
    egress: z
      .array(z.object({ to: z.array(z.unknown()).optional(), ports: z.array(z.object({ port: z.number() })) }))
      .default([]),
  }),
});

export const Edge = z.object({
  spec: z.object({
    template: z.object({
      spec: PodSpec.extend({
        terminationGracePeriodSeconds: z.number(),
        containers: z.tuple([
          z.object({
            volumeMounts: z.array(z.object({ name: z.string(), mountPath: z.string() })),
            env: z.array(z.object({ name: z.string(), value: z.string().optional() })),
            lifecycle: Lifecycle,
            resources: Resources,
            securityContext: SecurityContext,
          }),
        ]),
        volumes: z.array(
          z.object({
            name: z.string(),
            configMap: z.object({ name: z.string() }).optional(),
            secret: z.object({ secretName: z.string(), optional: z.boolean().optional() }).optional(),
          }),
        ),
      }),
    }),
  }),
});
