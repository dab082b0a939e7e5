import { type Colour, drawPng } from "./png.js";

const light: Colour = [238, 218, 181];
const dark: Colour = [181, 136, 99];
const white: Colour = [250, 250, 245];
const black: Colour = [45, 40, 38];

/**
 * A chess board seen from above, with a round piece on every square that `position` names: rows from the top, upper case
 * for white, lower case for black, anything else for an empty square.
 */
export function drawBoard(position: readonly string[]): Buffer {
  const square = 48;
  return drawPng(8 * square, 8 * square, (x, y) => {
    const [column, row] = [Math.floor(x / square), Math.floor(y / square)];
    const ground = (column + row) % 2 === 0 ? light : dark;
    const piece = position[row]?.[column] ?? ".";
    if (!/[a-z]/i.test(piece)) return ground;
    const distance = Math.hypot((x % square) - square / 2 + 0.5, (y % square) - square / 2 + 0.5);
    // Officers are larger than pawns.
    const radius = piece.toLowerCase() === "p" ? square * 0.24 : square * 0.36;
    if (distance > radius) return ground;
    if (distance > radius - 2) return black;
    return piece === piece.toUpperCase() ? white : black;
  });
}

/** A harbour in the evening: sky, sun and its light on the waves. */
export function drawHarbour(width: number, height: number): Buffer {
  const horizon = height * 0.6;
  const [sunX, sunY, sunRadius] = [width * 0.68, horizon - height * 0.12, height * 0.11];
  return drawPng(width, height, (x, y) => {
    if (y < horizon) {
      if (Math.hypot(x - sunX, y - sunY) < sunRadius) return [255, 222, 150];
      return mix([38, 44, 92], [246, 138, 92], y / horizon);
    }
    const depth = (y - horizon) / (height - horizon);
    const wave = Math.sin(y * 0.9 + Math.sin(x * 0.035) * 3) * 18 * depth;
    const glitter = Math.abs(x - sunX + wave * 2) < sunRadius * (0.5 + depth) && Math.sin(y * 1.7) > 0 ? 90 : 0;
    const [red, green, blue] = mix([196, 110, 96], [18, 30, 66], depth);
    return [red + wave + glitter, green + wave + glitter * 0.7, blue + wave];
  });
}

/** A round face of one colour, for an emoji. */
export function drawCoin(colour: Colour): Buffer {
  const size = 64;
  const around: Colour = [255, 255, 255];
  return drawPng(size, size, (x, y) => {
    const distance = Math.hypot(x - size / 2 + 0.5, y - size / 2 + 0.5);
    if (distance > size / 2 - 2) return around;
    return distance > size / 2 - 8 ? mix(colour, black, 0.35) : colour;
  });
}

function mix(from: Colour, to: Colour, share: number): Colour {
  return [
    from[0] + (to[0] - from[0]) * share,
    from[1] + (to[1] - from[1]) * share,
    from[2] + (to[2] - from[2]) * share,
  ];
}
