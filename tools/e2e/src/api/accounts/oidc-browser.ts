import { type Answer, createClient, loadAnswerCheck } from "@parley/testing";

/** An answer that leads on, or does not. */
export interface Step {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly text: string;
}

/** Somebody's browser: it keeps the cookies of the installation and of the provider. */
export interface SignInBrowser {
  readonly cookies: Map<string, string>;
  /** GET of an api; nothing is followed. */
  readonly get: (api: string, path: string, headers?: Record<string, string>) => Promise<Step>;
  /** Begins an attempt at an api. @returns the address of the provider that it leads to */
  readonly start: (api: string, query?: string) => Promise<string>;
  /** Signs in at the provider. @returns the query that it comes back with */
  readonly atProvider: (address: string, subject: string) => Promise<string>;
  /** Comes back from the provider. @returns the fragment of the page that it leads to */
  readonly callback: (api: string, query: string) => Promise<string>;
  /** Exchanges a code. */
  readonly session: (api: string, code: string) => Promise<Answer>;
  /** Ends the session at the provider, by its page. */
  readonly signOut: (issuer: string) => Promise<void>;
}

export function createBrowser(): SignInBrowser {
  const cookies = new Map<string, string>();
  const atProvider = new Map<string, string>();

  const request = async (url: string, jar: Map<string, string>, init: RequestInit = {}): Promise<Step> => {
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set("cookie", [...jar].map(([name, value]) => `${name}=${value}`).join("; "));
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) keepCookie(jar, cookie);
    const location = response.headers.get("location");
    return { status: response.status, location, headers: response.headers, text: await response.text() };
  };

  const get: SignInBrowser["get"] = async (api, path, headers = {}) => {
    const step = await request(`${api}${path}`, cookies, { headers });
    const { check } = await loadAnswerCheck(api);
    const isJson = step.headers.get("content-type")?.startsWith("application/json") === true;
    const body = step.text === "" ? undefined : isJson ? JSON.parse(step.text) : step.text;
    check({
      method: "GET",
      path,
      status: step.status,
      headers: step.headers,
      body: step.status === 302 ? undefined : body,
    });
    return step;
  };

  return {
    cookies,
    get,
    async start(api, query = "") {
      const { status, location } = await get(api, `/auth/oidc/start${query}`);
      if (status !== 302 || location === null) throw new Error(`the start answered ${status}`);
      return location;
    },
    async atProvider(address, subject) {
      let url = address;
      for (let steps = 0; steps < 10; steps += 1) {
        const isForm = url.includes("/interaction/");
        const form = { method: "POST", body: new URLSearchParams({ subject }) };
        const { status, location, text } = await request(url, atProvider, isForm ? form : {});
        if (location === null) throw new Error(`the provider answered ${status}: ${text.slice(0, 500)}`);
        const next = new URL(location, url);
        if (next.pathname.endsWith("/auth/oidc/callback")) return next.search;
        url = next.href;
      }
      throw new Error("the provider leads nowhere");
    },
    async callback(api, query) {
      const { status, location } = await get(api, `/auth/oidc/callback${query}`);
      if (status !== 302 || location === null) throw new Error(`the callback answered ${status}`);
      return new URL(location).hash;
    },
    session: (api, code) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      return createClient(api).send("POST", "/auth/oidc/session", { body: { code }, headers: { cookie } });
    },
    async signOut(issuer) {
      const { text } = await request(`${issuer}/session/end`, atProvider);
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? "";
      const body = new URLSearchParams({ xsrf, logout: "yes" });
      const { status } = await request(`${issuer}/session/end/confirm`, atProvider, { method: "POST", body });
      if (status >= 400) throw new Error(`the provider answered ${status} to the logout`);
    },
  };
}

/** The code of a fragment that a sign-in has led to. */
export function codeOf(fragment: string): string {
  const code = /^#sign-in=(.+)$/.exec(fragment)?.[1];
  if (code === undefined) throw new Error(`no code: ${fragment}`);
  return code;
}

function keepCookie(jar: Map<string, string>, cookie: string): void {
  const [pair = "", ...attributes] = cookie.split(";").map((part) => part.trim());
  const [name = "", value = ""] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
  const expires = attributes.find((attribute) => /^expires=/i.test(attribute))?.slice("expires=".length);
  if (value === "" || (expires !== undefined && Date.parse(expires) < Date.now())) jar.delete(name);
  else jar.set(name, value);
}
