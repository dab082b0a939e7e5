import { isIP, SocketAddress } from "node:net";

/** An address of IPv4, or one of IPv6 in brackets, with or without a port. */
const withPort = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([\da-f:.]+(?:%[^\]]+)?)\])(?::\d{1,5})?$/i;

type Family = 4 | 6;
const bitsOf = { 4: 32, 6: 128 } as const;

/** Before the 32 bits of an address of IPv4 that IPv6 wraps. */
const wrapping = 0xffffn;

interface Address {
  readonly family: Family;
  readonly number: bigint;
  /** Bits of the wrapping that the number leaves out. */
  readonly wrapped: 0 | 96;
}

/** The part of an entry that is an address, if it is one. */
function bare(entry: string): string {
  if (isIP(entry) === 4) return entry;
  const text = entry.trim().replace(/^"(.*)"$/, "$1");
  const [, ipv4, ipv6] = withPort.exec(text) ?? [];
  const [address = ""] = (ipv4 ?? ipv6 ?? text).split("%", 1);
  return address;
}

const numberOfIpv4 = (text: string) => text.split(".").reduce((number, part) => number * 256 + Number(part), 0);

/** The groups of one side of `::`; the last group may be an address of IPv4. */
function groupsOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const groups = text.split(":");
  const last = groups.at(-1) ?? "";
  if (!last.includes(".")) return groups;
  const hex = numberOfIpv4(last).toString(16).padStart(8, "0");
  return [...groups.slice(0, -1), hex.slice(0, 4), hex.slice(4)];
}

/** Reads an address. @returns null for a text that is none */
function readAddress(text: string): Address | null {
  const family = isIP(text);
  if (family === 4) return { family, number: BigInt(numberOfIpv4(text)), wrapped: 0 };
  if (family !== 6) return null;
  const [before, after] = text.split("::");
  const [start, end] = [groupsOf(before), groupsOf(after)];
  let hex = "0x";
  for (const group of start) hex += group.padStart(4, "0");
  hex += "0".repeat(4 * (8 - start.length - end.length));
  for (const group of end) hex += group.padStart(4, "0");
  const number = BigInt(hex);
  if (number >> 32n === wrapping) return { family: 4, number: BigInt.asUintN(32, number), wrapped: 96 };
  return { family, number, wrapped: 0 };
}

function textOf(number: bigint, family: Family): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (number >> shift) & 255n).join(".");
  const groups = number.toString(16).padStart(32, "0").match(/.{4}/g) ?? [];
  return new SocketAddress({ address: groups.join(":"), family: "ipv6" }).address;
}

/**
 * The address in an entry of X-Forwarded-For, whichever way the proxy writes it: with a port, in brackets, in quotes.
 * Ports and zones are no part of it, and one address has one form: that of IPv4 where IPv6 only wraps it.
 *
 * @returns null for a text that is no address
 */
export function parseAddress(entry: string): string | null {
  const address = readAddress(bare(entry));
  return address && textOf(address.number, address.family);
}

/** The addresses of X-Forwarded-For, without an entry that is no address and all entries before it. */
export function forwardedAddresses(forwarded: string): string[] {
  const entries = forwarded.split(",").filter((entry) => entry.trim() !== "");
  const addresses = entries.map(parseAddress);
  return addresses.slice(addresses.lastIndexOf(null) + 1).flatMap((address) => address ?? []);
}

/** A network: its first and its last address as numbers. */
export interface Network {
  readonly family: Family;
  readonly prefix: number;
  readonly first: bigint;
  readonly last: bigint;
  /** As a CIDR whose address has no bits behind the prefix. */
  readonly text: string;
}

/** Reads a CIDR; bits behind the prefix are dropped. @returns null for any other text */
export function parseNetwork(cidr: string): Network | null {
  const [, text = "", digits] = /^([\da-f:.]+)\/(\d{1,3})$/i.exec(cidr.trim()) ?? [];
  const address = readAddress(text);
  if (address === null) return null;
  const { family, number, wrapped } = address;
  const prefix = Number(digits) - wrapped;
  const bits = bitsOf[family];
  if (prefix < 0 || prefix > bits) return null;
  const size = 1n << BigInt(bits - prefix);
  const first = number - (number % size);
  return { family, prefix, first, last: first + size - 1n, text: `${textOf(first, family)}/${prefix}` };
}

/** Whether an address, in any form, is in a network. */
export function isInNetwork(address: string, { family, first, last }: Network): boolean {
  const read = readAddress(bare(address));
  return read !== null && read.family === family && first <= read.number && read.number <= last;
}

/** Ranges that do not touch, in order. */
interface Ranges {
  readonly firsts: readonly bigint[];
  readonly lasts: readonly bigint[];
}

function joined(networks: readonly Network[], family: Family): Ranges {
  const firsts: bigint[] = [];
  const lasts: bigint[] = [];
  const own = networks.filter((network) => network.family === family);
  for (const { first, last } of own.sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0))) {
    const end = lasts.at(-1);
    if (end === undefined || first > end) {
      firsts.push(first);
      lasts.push(last);
    } else if (last > end) lasts[lasts.length - 1] = last;
  }
  return { firsts, lasts };
}

function includes({ firsts, lasts }: Ranges, number: bigint): boolean {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((firsts[middle] ?? 0n) <= number) low = middle + 1;
    else high = middle;
  }
  return low > 0 && number <= (lasts[low - 1] ?? -1n);
}

/**
 * Tests whether an address is in one of the networks: a search in sorted ranges, as `net.BlockList` compares with one network after
 * the other.
 *
 * @returns takes an address in any form; false for anything that is none
 */
export function createNetworkTest(networks: readonly Network[]): (address: string) => boolean {
  const ranges = { 4: joined(networks, 4), 6: joined(networks, 6) };
  if (networks.length === 0) return () => false;
  return (text) => {
    const address = readAddress(bare(text));
    return address !== null && includes(ranges[address.family], address.number);
  };
}
