import { crc32, deflateRawSync } from "node:zlib";

/** An entry as a test wants it, with its lies. */
export interface MadeEntry {
  name: string;
  bytes?: Buffer | string;
  /** The size that the container claims; of zips alone. */
  claimed?: number;
  /** Where the directory says that the entry begins; of zips alone. */
  offset?: number;
  encrypted?: true;
  method?: number;
  kind?: "symlink" | "link" | "character-device" | "fifo";
  /** Bytes of the name, where they are not UTF-8; of zips alone. */
  rawName?: Buffer;
}

const unixKinds = { symlink: 0o120777, link: 0o100644, "character-device": 0o020644, fifo: 0o010644 };

/** A zip, byte by byte, so that it can say what no program writes. */
export function zipOf(entries: readonly MadeEntry[], { utf8Flag = true } = {}): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes = "", claimed, offset: at, encrypted, method = 8, kind, rawName } of entries) {
    const data = Buffer.from(bytes as string);
    const packed = method === 8 ? deflateRawSync(data) : data;
    const nameBytes = rawName ?? Buffer.from(name);
    const flags = (utf8Flag ? 0x800 : 0) | (encrypted ? 1 : 0);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claimed ?? data.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, nameBytes, packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(kind === undefined ? 0 : unixKinds[kind] * 0x10000, 6);
    central.writeUInt32LE(at ?? offset, 10);
    directory.push(Buffer.from("PK\x01\x02"), Buffer.from([20, 3]), common, central, nameBytes);
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  const count = Math.min(entries.length, 0xffff);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([
    ...locals,
    central,
    ...(entries.length > 0xffff ? zip64End(entries.length, central.length, offset) : []),
    end,
  ]);
}

function zip64End(count: number, size: number, offset: number): Buffer[] {
  const end = Buffer.alloc(56);
  end.write("PK\x06\x06", "latin1");
  end.writeBigUInt64LE(44n, 4);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write("PK\x06\x07", "latin1");
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return [end, locator];
}
