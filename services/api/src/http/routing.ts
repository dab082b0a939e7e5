import { runOperation } from "@parley/messaging";
import { type Request, type Response, Router } from "express";
import type { Admit } from "./admission.js";
import { explainFailure } from "./gone-caller.js";
import { operationId } from "./openapi.js";
import { causesOf, type Route } from "./route.js";

interface MountedPath {
  path: string;
  route: Route;
}

/**
 * Mounts routes on one express router, literal segments before parameters whatever the order of declaration
 * (docs/interface.md#1.1).
 *
 * @param admit runs before each route; absent for routes without rate limits and identification
 */
export function createRouter(routes: readonly Route[], admit: Admit = async () => true): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const mounted = routes.flatMap((route): MountedPath[] =>
    [route.declaration.path, ...(route.declaration.aliases ?? [])].map((path) => ({ path, route })),
  );
  mounted.sort((a, b) => compareSpecificity(a.path, b.path));
  for (const { path, route } of mounted) {
    const { declaration } = route;
    const admitTo = admissionTo(route, admit);
    const operation = { name: operationId(declaration.method, declaration.path), causes: causesOf(declaration) };
    router[declaration.method](path, (request, response, next) => {
      request.state.routePath = declaration.path;
      admitTo(request, response)
        .then((isAdmitted) => (isAdmitted ? runOperation(operation, () => route.serve(request, response)) : undefined))
        .catch((error: unknown) => explainFailure(error, request.state).then(next, next));
    });
  }
  return router;
}

/** How a request is admitted to a route. */
function admissionTo({ declaration: { unlimited } }: Route, admit: Admit) {
  return async (request: Request, response: Response): Promise<boolean> =>
    unlimited === true || admit(request, response, unlimited?.(request) ?? false);
}

function compareSpecificity(a: string, b: string): number {
  const left = a.split("/");
  const right = b.split("/");
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = Number(left[index]?.startsWith(":")) - Number(right[index]?.startsWith(":"));
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
