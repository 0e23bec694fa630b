// What the scripts of a page do not say themselves: the names that the exporter gives them, and the
// members that a class takes over from a record.

declare const MARK_TABLE: {
  radius: number, halfSide: number, leastFrom: number, fullFrom: number, roles: Record<number, Mark>,
  hollow: { radius: number, bar: number, cross: number, line: number, thin: number },
  cross: { reach: number, width: number, backing: number }, halo: { radius: number, opacity: number },
};
interface Mark {
  least: number, room: number, width: number, least_width: number, fill: number, bare_fill: number,
  core: number, outline: "edge" | "ring",
}
declare const WORKER_TEXTS: string[];
interface Window { page: Page }
interface RunOfPage extends Omit<Contents, "points" | "lanes" | "test" | "gram"> {}
interface LiveTools extends LiveState {}
interface Lane extends Omit<LaneContents, "C" | "steps" | "biases" | "objectives" | "words"> {}
