/**
 * What of a page has too little contrast with what is behind it: text below 4.5 to 1, marks of drawings below 3 to 1 (WCAG 2.2,
 * 1.4.3 and 1.4.11). Runs in the browser, so it uses nothing from outside itself.
 */
export function lowContrasts() {
  const parse = (color) => {
    const [r = 0, g = 0, b = 0, a = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return { rgb: [r, g, b], a };
  };
  const over = (top, below) => ({ rgb: top.rgb.map((value, at) => value * top.a + below.rgb[at] * (1 - top.a)), a: 1 });
  // WCAG 2.2, "relative luminance" and "contrast ratio".
  const luminance = ({ rgb }) => {
    const [r, g, b] = rgb
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const paper = parse(getComputedStyle(document.body).backgroundColor);
  const backgroundOf = (element) => {
    if (element === null) return paper;
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.a === 1 ? own : over(own, backgroundOf(element.parentElement));
  };
  const filled = (shape) => {
    const { fill, fillOpacity } = getComputedStyle(shape);
    const { rgb, a } = parse(fill);
    return over({ rgb, a: a * Number(fillOpacity) }, paper);
  };
  /** What a text of a drawing stands on: the last shape that holds its middle. */
  const behind = (text) => {
    const { left, top, width, height } = text.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const shape = [...text.closest('svg').querySelectorAll('rect')].findLast((rect) => {
      const box = rect.getBoundingClientRect();
      return box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    });
    return shape ? filled(shape) : paper;
  };
  const seen = [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility());
  const isText = (element) =>
    !['title', 'desc'].includes(element.tagName) &&
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
  const texts = seen.filter(isText).map((element) => {
    const style = getComputedStyle(element);
    const isDrawn = element.closest('svg') !== null;
    const found = isDrawn
      ? ratio(parse(style.fill), behind(element))
      : ratio(parse(style.color), backgroundOf(element));
    return { what: element.textContent.slice(0, 40), found, needed: 4.5 };
  });
  const marks = seen
    // A pale area says nothing by itself: a line, a legend and a table say the same.
    .filter((element) => element.matches('svg rect:not([fill-opacity]), svg circle, .swatch'))
    .map((element) => {
      const style = getComputedStyle(element);
      const color = element.matches('.swatch') ? style.backgroundColor : style.fill;
      return { what: `mark ${color}`, found: ratio(parse(color), paper), needed: 3 };
    });
  return {
    texts: texts.length,
    marks: marks.length,
    low: [...texts, ...marks]
      .filter(({ found, needed }) => found < needed)
      .map(({ what, found, needed }) => `${what}: ${found.toFixed(2)} of ${needed}`),
  };
}
