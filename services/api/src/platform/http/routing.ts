import { runOperation } from "@parley/messaging";
import { runRequest } from "@parley/service-runtime";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Admit } from "./admission.js";
import { asUnauthenticatedIfGone } from "./gone-caller.js";
import type { Stores } from "./may.js";
import { operationId } from "./operation-id.js";
import { causesOf, type Route } from "./route.js";

interface MountedPath {
  path: string;
  route: Route;
}

/**
 * Serves routes by express, literal segments before parameters whatever the order of declaration
 * (docs/protocol/requests.md#1.1). An express router compares a path with one route after the other, so each has only those that begin
 * with the same segment and are as long: a few of some hundred.
 *
 * @param admit runs before each route; absent for routes without rate limits and identification
 * @param stores where the rights of the routes are asked; null for routes that declare none
 */
export function createRouter(
  routes: readonly Route[],
  admit: Admit = async () => true,
  stores: Stores | null = null,
): RequestHandler {
  const routers = new Map<string, Router>();
  const mounted = routes.flatMap((route): MountedPath[] =>
    [route.declaration.path, ...(route.declaration.aliases ?? [])].map((path) => ({ path, route })),
  );
  mounted.sort((a, b) => compareSpecificity(a.path, b.path));
  for (const { path, route } of mounted) {
    const { declaration } = route;
    const admitTo = admissionTo(route, admit);
    const router = routers.get(kindOf(path)) ?? Router({ caseSensitive: true, strict: false });
    routers.set(kindOf(path), router);
    const operation = { name: operationId(declaration.method, declaration.path), causes: causesOf(declaration) };
    const name = `${declaration.method.toUpperCase()} ${declaration.path}`;
    router[declaration.method](path, (request, response, next) => {
      request.state.routePath = declaration.path;
      runRequest({ requestId: request.state.id, name }, async () => {
        if (await admitTo(request, response))
          await runOperation(operation, () => route.serve(request, response, stores));
      }).catch((error: unknown) => asUnauthenticatedIfGone(error, request.state).then(next, next));
    });
  }
  const serve: RequestHandler = (request, response, next) => {
    const router = routers.get(kindOf(request.path));
    if (router === undefined) next();
    else router(request, response, next);
  };
  // Code that walks express' routers finds these as well.
  return Object.assign(serve, { stack: [...routers.values()].map((handle) => ({ handle })) });
}

/** The first segment of a path, which is literal in every route, and the number of segments; a slash at the end does not count. */
function kindOf(path: string): string {
  const segments = path.split("/");
  const last = segments.at(-1) === "" ? segments.length - 2 : segments.length - 1;
  return `${last} ${segments[1]}`;
}

/** How a request is admitted to a route. */
function admissionTo({ declaration: { unlimited, confirmsSession, isEntrance } }: Route, admit: Admit) {
  return async (request: Request, response: Response): Promise<boolean> =>
    unlimited === true ||
    admit(request, response, {
      isUnlimited: unlimited?.(request) ?? false,
      confirmsSession: confirmsSession === true,
      isEntrance: isEntrance === true,
    });
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
