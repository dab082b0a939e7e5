import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { KubernetesObject } from "./kubernetes-objects.js";

/**
 * As much of the API of a cluster as Helm asks while it renders a chart against one: which kinds there are, those of the given
 * objects, and one Secret.
 */
export async function startKubernetesApi(objects: readonly KubernetesObject[], secretName: string) {
  const kinds = new Map<string, Set<string>>([["v1", new Set(["Secret"])]]);
  for (const { apiVersion, kind } of objects) kinds.set(apiVersion, (kinds.get(apiVersion) ?? new Set()).add(kind));
  const groups = [...kinds.keys()].filter((groupVersion) => groupVersion.includes("/"));
  const answers = new Map<string, object>([
    ["/version", { major: "1", minor: "32", gitVersion: "v1.32.0" }],
    ["/api", { kind: "APIVersions", versions: ["v1"] }],
    ["/apis", { kind: "APIGroupList", apiVersion: "v1", groups: groups.map(groupOf) }],
  ]);
  for (const [groupVersion, names] of kinds) {
    const path = groupVersion.includes("/") ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    answers.set(path, { kind: "APIResourceList", groupVersion, resources: [...names].map(resourceOf) });
  }
  let data: Record<string, string> = {};
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const isSecret = pathname === `/api/v1/namespaces/parley/secrets/${secretName}`;
    const answer = isSecret
      ? { apiVersion: "v1", kind: "Secret", metadata: { name: secretName, namespace: "parley" }, data }
      : answers.get(pathname);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { kind: "Status", status: "Failure", reason: "NotFound", code: 404 }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    setSecret: (values: Record<string, string>) => {
      const encode = (value: string) => Buffer.from(value).toString("base64");
      data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, encode(value)]));
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const groupOf = (groupVersion: string) => {
  const [name, version] = groupVersion.split("/");
  return { name, versions: [{ groupVersion, version }], preferredVersion: { groupVersion, version } };
};

const resourceOf = (kind: string) => {
  const singularName = kind.toLowerCase();
  return { name: `${singularName}s`, singularName, namespaced: true, kind, verbs: ["get"] };
};
