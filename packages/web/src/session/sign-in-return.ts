/** Why a sign-in at the provider ended there. */
export type SignInRefusal = "denied" | "expired" | "refused" | "unavailable";

/** The result with which the browser has come back from the provider. */
export type SignInReturn = { code: string } | { refusal: SignInRefusal };

const refusals: readonly string[] = ["denied", "expired", "refused", "unavailable"] satisfies SignInRefusal[];
const isRefusal = (word: string): word is SignInRefusal => refusals.includes(word);

let taken: { href: string; back: SignInReturn } | null = null;

/** Reads the result of a sign-in at the provider from the address, and removes it there: it counts once. */
export function takeSignInReturn(): SignInReturn | null {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const [code, refusal] = [parameters.get("sign-in"), parameters.get("sign-in-refused")];
  if (code === null && refusal === null) return taken?.href === location.href ? taken.back : null;
  history.replaceState(history.state, "", location.pathname + location.search);
  const reason = refusal !== null && isRefusal(refusal) ? refusal : "refused";
  // In development, React asks twice.
  taken = { href: location.href, back: code === null ? { refusal: reason } : { code } };
  return taken.back;
}
