import { clientsClaim } from "workbox-core";
import { addRoute, createHandlerBoundToURL, precache } from "workbox-precaching";
import { NavigationRoute, registerRoute } from "workbox-routing";
import { followPushes } from "./notices.js";

declare const self: ServiceWorkerGlobalScope;

// Keeps all scripts and styles of one version of the page, and shows pages of that version only. The next version waits
// until no page of this one is open, or until a page asks to change (src/ui/page/new-version.ts). Everything else, such as
// requests to the API, connections, uploads and files of users, goes its way as without this worker.
precache(self.__WB_MANIFEST);
// An address with a slash at its end is no file: the page asks for one to find out whether the server is there.
addRoute({ directoryIndex: "", cleanURLs: false });
registerRoute(
  new NavigationRoute(createHandlerBoundToURL("/app/index.html"), { denylist: [/^\/app\/(?:assets\/|[^/]+\.\w+$)/] }),
);
// The page that has it installed is of the same version.
clientsClaim();

followPushes();

self.addEventListener("message", ({ data }) => {
  if (data === "use this version") void self.skipWaiting();
});
