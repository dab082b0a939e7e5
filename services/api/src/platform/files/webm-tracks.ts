// Matroska element ids, length marker included.
const ids = { ebml: 0x1a45dfa3, segment: 0x18538067, tracks: 0x1654ae6b, trackEntry: 0xae, trackType: 0x83 } as const;
const videoTrack = 1;
/** Where the type of a track is found; other elements are not entered, however deep they are nested. */
const pathOfType = [ids.segment, ids.tracks, ids.trackEntry, ids.trackType] as const;
/** Elements that are looked at; a list of tracks has a few dozen, and a few precede it. */
const elementsMax = 2_000;

/**
 * Whether a WebM file has sound only. The container's signature is the same either way; the list of tracks, which
 * comes before the first sample, decides.
 *
 * @param head first bytes; when the list of tracks lies beyond them, the answer is false
 */
export function isAudioOnlyWebm(head: Uint8Array): boolean {
  const types = [...trackTypes(head)];
  return types.length > 0 && !types.includes(videoTrack);
}

function* trackTypes(bytes: Uint8Array, depth = 0, budget = { elements: elementsMax }): Generator<number> {
  for (const { id, content } of elements(bytes)) {
    budget.elements -= 1;
    if (budget.elements < 0) return;
    if (id !== pathOfType[depth]) continue;
    if (id === ids.trackType) yield content[content.length - 1] ?? 0;
    else yield* trackTypes(content, depth + 1, budget);
  }
}

function* elements(bytes: Uint8Array): Generator<{ id: number; content: Uint8Array }> {
  for (let offset = 0; offset < bytes.length; ) {
    const id = readNumber(bytes, offset, { keepMarker: true });
    const size = id === null ? null : readNumber(bytes, offset + id.length, { keepMarker: false });
    if (id === null || size === null) return;
    const start = offset + id.length + size.length;
    // A live stream has no length yet: all bits set means "to the end".
    const isOpen = size.value === 2 ** (7 * size.length) - 1;
    const end = isOpen ? bytes.length : start + size.value;
    yield { id: id.value, content: bytes.subarray(start, end) };
    offset = end;
  }
}

/** A variable-length integer of EBML: the leading zero bits of its first byte give its length in bytes. */
function readNumber(bytes: Uint8Array, offset: number, { keepMarker }: { keepMarker: boolean }) {
  const first = bytes[offset];
  if (first === undefined || first === 0) return null;
  const length = Math.clz32(first) - 23;
  if (offset + length > bytes.length) return null;
  let value = keepMarker ? first : first & (0xff >> length);
  for (let index = 1; index < length; index += 1) value = value * 256 + (bytes[offset + index] ?? 0);
  return { value, length };
}
