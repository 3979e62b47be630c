/// <reference lib="dom" />

/** Calls `draw` with the width of an element: at once, and again whenever it changes. */
export function onResize(watched: HTMLElement, draw: (width: number) => void): void {
  let drawn = -1;
  const drawIfChanged = () => {
    const width = Math.floor(watched.clientWidth);
    if (width === drawn || width === 0) return;
    drawn = width;
    draw(width);
  };
  new ResizeObserver(() => requestAnimationFrame(drawIfChanged)).observe(watched);
  drawIfChanged();
}
