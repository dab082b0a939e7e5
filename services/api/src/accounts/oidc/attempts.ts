import { timingSafeEqual } from "node:crypto";
import { hashToken, openSealedToken, sealToken } from "@parley/auth";
import type { CookieOptions, Request, Response } from "express";
import * as openid from "openid-client";
import { z } from "zod";
import { attemptTtlSeconds } from "./limits.js";
import type { SignInExpectation } from "./provider.js";

const Attempt = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Milliseconds since 1970. */
  until: z.number(),
  /** Path of the application that the sign-in leads on to. */
  to: z.string().nullable(),
  /** The account that is to be connected; null for a sign-in. */
  linkUserId: z.string().nullable(),
});

/** One attempt to sign in, or to connect an account, of one browser. */
export type Attempt = z.infer<typeof Attempt> & SignInExpectation;

/**
 * Attempts are kept by the browser, in a cookie that is sealed with the secret of the installation: any process goes on
 * with them. A later attempt of the same browser replaces it.
 *
 * @param options.secrets the first seals, all open
 * @param options.isSecure whether the installation is reached by HTTPS
 */
export function createAttempts({ secrets, isSecure }: { secrets: readonly [string, ...string[]]; isSecure: boolean }) {
  // With the prefix, no other host of the domain can set it (RFC 6265bis).
  const name = isSecure ? "__Host-parley-sign-in" : "parley-sign-in";
  const options: CookieOptions = { httpOnly: true, sameSite: "lax", secure: isSecure, path: "/" };

  const open = (sealed: string): Attempt | null => {
    for (const secret of secrets) {
      try {
        return Attempt.parse(JSON.parse(openSealedToken(secret, sealed, "sign-in-attempt")));
      } catch {
        // Sealed with another secret, or by nobody here.
      }
    }
    return null;
  };

  return {
    /** Begins one, and gives it to the browser. */
    begin(response: Response, { to, linkUserId }: Pick<Attempt, "to" | "linkUserId">): Attempt {
      const expected = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const attempt = { ...expected, until: Date.now() + attemptTtlSeconds * 1_000, to, linkUserId };
      const sealed = sealToken(secrets[0], JSON.stringify(attempt), "sign-in-attempt");
      response.cookie(name, sealed, { ...options, maxAge: attemptTtlSeconds * 1_000 });
      return attempt;
    },

    /** The attempt of the browser that a state belongs to; null for a state of no attempt or of another browser. */
    find(request: Request, state: unknown): Attempt | null {
      const sealed = cookieOf(request, name);
      const attempt = sealed === null ? null : open(sealed);
      if (attempt === null || attempt.until < Date.now() || typeof state !== "string") return null;
      return isEqual(attempt.state, state) ? attempt : null;
    },

    /** A hash that identifies the browser; null without an attempt. */
    browserHash(request: Request): string | null {
      const sealed = cookieOf(request, name);
      return sealed === null ? null : hashToken(sealed);
    },

    /** Takes it from the browser. */
    end(response: Response): void {
      response.clearCookie(name, options);
    },
  };
}

export type Attempts = ReturnType<typeof createAttempts>;

/** The first cookie with a name. */
function cookieOf({ headers: { cookie = "" } }: Request, name: string): string | null {
  const pair = cookie.split(";").find((each) => each.trimStart().startsWith(`${name}=`));
  return pair === undefined ? null : pair.slice(pair.indexOf("=") + 1).trim();
}

const isEqual = (one: string, other: string) =>
  timingSafeEqual(Buffer.from(hashToken(one)), Buffer.from(hashToken(other)));
