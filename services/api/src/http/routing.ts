import { Router } from "express";
import type { Route } from "./route.js";

interface MountedPath {
  path: string;
  route: Route;
}

/**
 * Mounts routes on one express router, literal segments before parameters whatever the order of declaration
 * (contract.md 1.1).
 */
export function createRouter(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: false });
  const mounted = routes.flatMap((route): MountedPath[] =>
    [route.declaration.path, ...(route.declaration.aliases ?? [])].map((path) => ({ path, route })),
  );
  mounted.sort((a, b) => compareSpecificity(a.path, b.path));
  for (const { path, route } of mounted) {
    router[route.declaration.method](path, (request, response, next) => {
      request.state.routePath = route.declaration.path;
      route.serve(request, response).catch(next);
    });
  }
  return router;
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
