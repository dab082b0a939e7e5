// Runs while the script of the first load is still on its way, for logged-in users. It has no imports, because it would
// wait for them.

/** The part that the application goes on with: a connection that has begun, and the events on it so far. */
interface EarlySocket {
  url: string;
  socket: WebSocket;
  events: Event[];
}

/** Each kind of event of a socket that is kept until somebody listens. */
const kinds = ["open", "message", "close", "error"] as const;
/** How long a connection waits to be taken, in milliseconds: for a script of a slow network. */
const takenWithinMs = 30_000;
/** A token that ends sooner is not used. */
const tokenMsMin = 10_000;

let early: EarlySocket | null = null;

/**
 * Takes the connection that was begun early, with its events so far.
 *
 * @param url address that the caller would connect to; the result is null for another address
 */
export function takeEarlySocket(url: string): Omit<EarlySocket, "url"> | null {
  if (early?.url !== url) return null;
  const taken = early;
  early = null;
  for (const kind of kinds) taken.socket.removeEventListener(kind, keep);
  return taken;
}

function keep(event: Event): void {
  early?.events.push(event);
}

/** Connects as the application does (`state/app/parts.ts`): a connection to any other address would not be taken. */
function connectEarly(accessToken: string): void {
  const url = new URL("/ws", location.origin.replace(/^http/, "ws"));
  const query = { token: accessToken, s: "", v: "2", members: "all", presence: "subscribed", view: "on" };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const socket = new WebSocket(url);
  const begun = { url: url.href, socket, events: [] };
  early = begun;
  for (const kind of kinds) socket.addEventListener(kind, keep);
  setTimeout(() => {
    if (early !== begun) return;
    early = null;
    socket.close();
  }, takenWithinMs);
}

/** The access token of the session, if it is still valid for a while. */
function validToken(stored: string): string | null {
  try {
    const token = String(JSON.parse(stored).accessToken);
    const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return JSON.parse(atob(payload)).exp * 1_000 > Date.now() + tokenMsMin ? token : null;
  } catch {
    return null;
  }
}

/** That of the screens is fetched beside the first script, and not after it. The addresses are from the build (vite.config.ts). */
function loadScreens(screens: string): void {
  for (const href of screens.split(" ")) {
    const link = document.createElement("link");
    const kind = href.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
    // The same attributes as the later request has, else the browser would fetch it twice.
    Object.assign(link, kind, { href, crossOrigin: "" });
    document.head.append(link);
  }
}

function begin(): void {
  const { screens } = document.querySelector<HTMLElement>("script[data-screens]")?.dataset ?? {};
  const stored = localStorage.getItem("parley.tokens");
  if (screens === undefined || stored === null) return;
  loadScreens(screens);
  const token = validToken(stored);
  if (token !== null) connectEarly(token);
}

// Tests of modules that import this run where there is no page.
if (typeof document !== "undefined") begin();
