const FONT = 'system-ui, sans-serif';

const STYLE_PROPERTIES = ['fill', 'stroke', 'stroke-width', 'opacity'] as const;

/** Serializes a chart as a standalone SVG file, with computed styles inlined. */
export function exportSvg(svg: SVGSVGElement, note: string): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const [originals, copies] = [svg.querySelectorAll<SVGElement>('*'), copy.querySelectorAll<SVGElement>('*')];
  for (const [index, original] of originals.entries()) {
    const style = getComputedStyle(original);
    for (const name of STYLE_PROPERTIES) {
      const value = style.getPropertyValue(name);
      if (!value.startsWith('url(')) copies[index]?.setAttribute(name, value);
    }
  }
  const background = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  for (const [name, value] of [
    ['width', '100%'],
    ['height', '100%'],
    ['fill', getComputedStyle(document.body).backgroundColor],
  ] as const)
    background.setAttribute(name, value);
  copy.prepend(background);
  const description = document.createElementNS('http://www.w3.org/2000/svg', 'desc');
  description.textContent = `${svg.getAttribute('aria-label') ?? ''} ${note}`;
  copy.prepend(description);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('font-family', FONT);
  return new XMLSerializer().serializeToString(copy);
}
