/** The kinds of media between two participants, in the order of the transceivers of every connection. */
export const mediaKinds = ["microphone", "camera", "screen", "screenSound"] as const;

/** One of {@link mediaKinds}. */
export type MediaKind = (typeof mediaKinds)[number];

/** Tracks by their content; null where there is none. */
export type Tracks = Readonly<Record<MediaKind, MediaStreamTrack | null>>;

/** No track of any kind. */
export const noTracks: Tracks = { microphone: null, camera: null, screen: null, screenSound: null };
