import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { createFileUrls, type FileSignature } from "./file-urls.js";

const secret = "s".repeat(32);
const jwtSecret = "j".repeat(32);
const urls = createFileUrls({ secret, jwtSecret });
const name = { message_id: "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60", stored_name: `${"a".repeat(32)}_b.png` };
const now = 1_700_000_000_500;

function signatureOf(url: string): FileSignature {
  const query = new URL(url, "http://localhost").searchParams;
  return { exp: query.get("exp") ?? "", sig: query.get("sig") ?? "" };
}

test("an address carries the signature of the contract", () => {
  const exp = "1700086400";
  const sig = createHmac("sha256", secret).update(`${name.message_id}/${name.stored_name}:${exp}`).digest("hex");
  expect(urls.sign(name, now)).toBe(`/files/${name.message_id}/${name.stored_name}?exp=${exp}&sig=${sig}`);
});

test("an address is valid for 24 hours", () => {
  const signature = signatureOf(urls.sign(name, now));
  expect(urls.verify(name, signature, now)).toBe(true);
  expect(urls.verify(name, signature, 1_700_086_399_999)).toBe(true);
  expect(urls.verify(name, signature, 1_700_086_400_000)).toBe(false);
});

test("an address is valid for its file, time and secret only", () => {
  const signature = signatureOf(urls.sign(name, now));
  const { sig = "" } = signature;
  const flipped = sig.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
  expect(urls.verify({ ...name, stored_name: `${name.stored_name}x` }, signature, now)).toBe(false);
  expect(urls.verify({ ...name, message_id: "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f61" }, signature, now)).toBe(false);
  for (const wrong of [
    { ...signature, exp: "1700086401" },
    { ...signature, exp: "01700086400" },
    { ...signature, exp: "" },
    { ...signature, sig: flipped },
    { ...signature, sig: sig.slice(1) },
    { ...signature, sig: "" },
    { ...signature, sig: `é${sig.slice(2)}` },
    {},
  ]) {
    expect(urls.verify(name, wrong, now)).toBe(false);
  }
  expect(createFileUrls({ secret: "t".repeat(32), jwtSecret }).verify(name, signature, now)).toBe(false);
});

test("the signature of a picture is none of a file", () => {
  const { sig } = signatureOf(urls.signPicture("https://h/x.png:1999999999"));
  expect(urls.verifyPicture("https://h/x.png:1999999999", sig ?? "")).toBe(true);
  expect(urls.verify({ message_id: "picture:https:", stored_name: "/h/x.png" }, { exp: "1999999999", sig }, now)).toBe(
    false,
  );
});

test("addresses without a secret of their own are signed with one derived from that of access tokens", () => {
  const derived = createFileUrls({ secret: undefined, jwtSecret });
  const signature = signatureOf(derived.sign(name, now));
  expect(createFileUrls({ secret: undefined, jwtSecret }).verify(name, signature, now)).toBe(true);
  expect(createFileUrls({ secret: jwtSecret, jwtSecret }).verify(name, signature, now)).toBe(false);
});

test("the key for pictures of others is the same on a day, and ends", () => {
  const noon = Date.UTC(2026, 0, 2, 12);
  const { key, endsAt } = urls.pictureKey(noon);
  expect(urls.pictureKey(noon + 3_600_000).key).toBe(key);
  expect(endsAt).toEqual(new Date("2026-01-04T00:00:00.000Z"));
  expect(urls.verifyPictureKey(key, endsAt.getTime() - 1)).toBe(true);
  expect(urls.verifyPictureKey(key, endsAt.getTime())).toBe(false);
  expect(urls.verifyPictureKey("1", noon)).toBe(false);
});
