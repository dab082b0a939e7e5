import type { DetailedMessage } from "@parley/client";
import { createRoot, type Root as ReactRoot } from "react-dom/client";
import { onTestFinished } from "vitest";
import { page as browserPage, commands } from "vitest/browser";
import { Root } from "../root.js";
import { applyLanguage } from "../ui/look/use-language.js";
import { applyTheme } from "../ui/look/use-theme.js";
import type { EmulatedMedia } from "./commands.js";
import { type FakeServer, refuse, type SpecialAnswer } from "./fake-server.js";
import type { FakeConnection, OnConnection } from "./fake-socket.js";
import { created, message } from "./fixtures.js";
import { beginTest, type PageGlobals } from "./globals.js";
import { forgetPresence, setSettled } from "./presence.js";
import { settled } from "./settled.js";
import { answerAnybody, answerFromWorld, presenceIn, readyOf, type World } from "./world.js";
import { resetStores } from "./zustand.js";

/** The address of a visit, and the properties of its browser. */
export interface Visit extends EmulatedMedia {
  /** Below `/app`; the start otherwise. */
  readonly path?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** The browser's language, "en-GB" otherwise. */
  readonly locale?: string;
  /** The user of the world has not logged in yet. */
  readonly isLoggedOut?: boolean;
  /** Replaces answers before the page asks anything. */
  readonly prepare?: (server: FakeServer) => void;
  /** Begins a connection: with READY otherwise, and RESUMED where it continues. */
  readonly onConnection?: OnConnection;
}

/** The application on the page, and the server that it talks to. */
export interface Stage {
  readonly server: FakeServer;
  /** The newest connection to the gateway; all of it throws before the first one. */
  readonly socket: FakeConnection;
  /** Somebody has sent a message: it is in its history, and comes to the page. */
  arrives(sent: DetailedMessage): void;
  /** How many connections there were. */
  readonly connections: number;
  /** Resolves when nothing is on its way: READY is applied, no read is under way, nothing is shown as being loaded. */
  settled(): Promise<void>;
  /** The session is ended elsewhere, or the account is disabled: no token is taken any more. */
  endSession(refusal: SpecialAnswer): void;
  /** The gateway ends the connection, and answers so instead of another one; null: it takes connections again. */
  refuseConnections(refusal: SpecialAnswer | null): void;
  /** Loads the page again: only the browser's storage remains. */
  reload(): Promise<void>;
  /** Goes to another address below `/app`, as by its link. */
  goTo(path: string): void;
  /** Loses the network, and gets it back. */
  setOnline(isOnline: boolean): void;
}

const desktop = { width: 1280, height: 800 };
/** The size of a telephone. Tests of touch are in `*.touch.page.test.tsx`. */
export const telephone = { width: 390, height: 844 };
/** Before any early end of the access token. */
const tokenEnd = 4_000_000_000;

/**
 * Opens the application for the user of a world; for nobody with null. Once per test.
 *
 * @throws where the browser cannot take the properties of the visit
 */
export async function visit(world: World | null, options: Visit = {}): Promise<Stage> {
  const {
    path = "/",
    viewport = isTouched() ? telephone : desktop,
    locale = "en-GB",
    isLoggedOut,
    prepare,
    onConnection,
  } = options;
  const { colorScheme = "dark", reducedMotion = "no-preference" } = options;
  await commands.emulateMedia({ colorScheme, reducedMotion });
  await browserPage.viewport(viewport.width, viewport.height);
  // What is shown at first goes by the size of the window, which was that of another test.
  resetStores();
  // A link that appears under the mouse of the test before is entered by it.
  if (!isTouched()) await commands.restMouse();
  const test = beginTest({
    onConnection: onConnection ?? ((connection) => greet(connection, world)),
    presenceOf: (userId) => (world === null ? undefined : presenceIn(world, userId)),
  });
  asksFor(locale);
  answerAnybody(test.server);
  if (world !== null) {
    answerFromWorld(test.server, world);
    test.server.on<NewMessageBody>("POST /channels/:id/messages", ({ params: { id = "" }, body }) => {
      const sent = message({ id }, world.me, body.content, { reply_to: body.reply_to ?? null });
      send(test, world, sent, body.nonce);
      const { reactions: _reactions, previews: _previews, attachments: _files, author: _author, ...answered } = sent;
      return { ...answered, nonce: body.nonce };
    });
    const accessToken = tokenOf(world);
    test.server.on("POST /auth/login", () => ({ access_token: accessToken, refresh_token: "refresh", user: world.me }));
    if (isLoggedOut !== true) {
      localStorage.setItem("parley.tokens", JSON.stringify({ accessToken, refreshToken: "refresh" }));
    }
  }
  prepare?.(test.server);
  let root = await render(path);
  onTestFinished(async () => {
    root.unmount();
    await cleanUp(test);
  });
  return {
    server: test.server,
    socket: newestOf(test.connections),
    get connections() {
      return test.connections.length;
    },
    arrives: (sent) => send(test, world, sent),
    settled: () => settled(test),
    endSession(refusal) {
      test.server.on("POST /auth/refresh", () => refusal);
      test.gateway.refusal = refuse(401, "Invalid or expired token");
      test.connections.at(-1)?.close(1000);
    },
    refuseConnections(refusal) {
      test.gateway.isShut = refusal !== null;
      if (refusal === null) return;
      test.gateway.refusal = refusal;
      test.connections.at(-1)?.close(1000);
    },
    async reload() {
      root.unmount();
      resetStores();
      const { pathname, search } = location;
      root = await render(pathname.slice("/app".length) + search);
    },
    goTo(next) {
      setSettled(false);
      history.pushState(null, "", `/app${next}`);
    },
    setOnline(isOnline) {
      Object.defineProperty(navigator, "onLine", { value: isOnline, configurable: true });
      dispatchEvent(new Event(isOnline ? "online" : "offline"));
    },
  };
}

const isTouched = () => matchMedia("(pointer: coarse)").matches;

function newestOf(connections: readonly FakeConnection[]): FakeConnection {
  const newest = () => {
    const last = connections.at(-1);
    if (last === undefined) throw new Error("The page has not connected yet.");
    return last;
  };
  return {
    get query() {
      return newest().query;
    },
    get received() {
      return newest().received;
    },
    get passive() {
      return newest().passive;
    },
    event: (name, payload) => newest().event(name, payload),
    close: (code) => newest().close(code),
  };
}

interface NewMessageBody {
  readonly content: string;
  readonly nonce: string;
  readonly reply_to?: string;
}

/** A message comes into its history, and to the page. */
function send({ connections }: PageGlobals, world: World | null, sent: DetailedMessage, nonce?: string): void {
  const place = world?.communities.find(({ channels }) => channels.some(({ id }) => id === sent.channel_id));
  if (place === undefined) throw new Error("The channel of the message is in no server of the world.");
  place.messages[sent.channel_id] = [...(place.messages[sent.channel_id] ?? []), sent];
  const event = created(sent, { server_id: place.server.id });
  connections.at(-1)?.event("MESSAGE_CREATE", nonce === undefined ? event : { ...event, nonce });
}

/**
 * Begins a connection of the user as a gateway. It has no position to continue from for a page that it does not know.
 */
function greet(connection: FakeConnection, world: World | null): void {
  if (world === null) return;
  if ((connection.query.get("s") ?? "") === "") connection.event("READY", readyOf(world));
  else connection.event("RESUMED", { replayed: 0, presence: "current", passive: [] });
}

async function render(path: string): Promise<ReactRoot> {
  forgetPresence();
  history.replaceState(null, "", `/app${path}`);
  applyTheme();
  await applyLanguage().catch(() => undefined);
  document.querySelector("#root")?.remove();
  const place = document.createElement("div");
  place.id = "root";
  document.body.append(place);
  const root = createRoot(place);
  // Without StrictMode, whose second effects a build does not have.
  root.render(<Root />);
  return root;
}

/** The browser is as it was before the test. */
async function cleanUp({ end }: PageGlobals): Promise<void> {
  end();
  resetStores();
  localStorage.clear();
  sessionStorage.clear();
  Reflect.deleteProperty(navigator, "onLine");
  for (const { name } of await indexedDB.databases()) if (name !== undefined) indexedDB.deleteDatabase(name);
}

function asksFor(locale: string): void {
  const languages = locale === "en-GB" ? ["en-GB"] : [locale, "en-GB"];
  Object.defineProperty(navigator, "languages", { value: languages, configurable: true });
  Object.defineProperty(navigator, "language", { value: locale, configurable: true });
}

/** An access token of the user, as the page reads it. */
export function tokenOf({ me }: World): string {
  const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, "");
  return `${part({ alg: "none" })}.${part({ sub: me.id, exp: tokenEnd })}.`;
}
