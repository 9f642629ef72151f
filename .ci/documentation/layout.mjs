// What is wrong with the layout of a page, as sentences: evaluated within the page, so it stands alone.

// `layer` selects what lies above all else.
export function unfinished(layer) {
  const name = (element) => {
    const text = element.textContent.trim().replace(/\s+/g, " ").slice(0, 30);
    return `<${element.localName} class="${element.getAttribute("class") ?? ""}">${text}`;
  };

  const ancestors = function* (element) {
    for (let it = element; it; it = it.parentElement) yield it;
  };

  // What of a rectangle is not cut off by an element around it.
  const seen = (element, rectangle) => {
    let { left, top, right, bottom } = rectangle;
    for (const it of ancestors(element)) {
      const style = getComputedStyle(it);
      if (style.overflow !== "visible" && it !== document.documentElement && it !== document.body) {
        const around = it.getBoundingClientRect();
        left = Math.max(left, around.left);
        top = Math.max(top, around.top);
        right = Math.min(right, around.right);
        bottom = Math.min(bottom, around.bottom);
      }
    }
    // Above the page stands what waits for the focus.
    const isThere = right - left > 1 && bottom - top > 1 && bottom + scrollY > 0 && right > 0;
    return isThere ? { left, top, right, bottom } : undefined;
  };

  // What stays while the page below it moves covers what it passes.
  const staying = [...document.querySelectorAll("*")].filter((it) => {
    const { position, bottom } = getComputedStyle(it);
    return position === "fixed" || (position === "sticky" && bottom !== "auto");
  });
  const isPassing = (element, line) =>
    staying.some((it) => {
      const { top, bottom } = it.getBoundingClientRect();
      return !it.contains(element) && line.bottom > top && line.top < bottom;
    });

  const isShown = (element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true });

  // The lines of the text that stands in an element itself.
  const lines = (element) => {
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.data.replace(/[\s\u200b]/g, "") !== "",
    );
    return texts.flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const seenLines = [...range.getClientRects()].map((line) => seen(element, line)).filter(Boolean);
      return seenLines.filter((line) => !isPassing(element, line));
    });
  };

  // What such a layer covers is not read.
  const read = document.querySelector(layer) ?? document.body;
  const elements = [...read.querySelectorAll("*")].filter(isShown);
  const texts = elements
    .map((element) => ({ element, lines: lines(element) }))
    .filter(({ lines }) => lines.length > 0);

  // Boxes of neighbouring lines may touch: letters are smaller than their boxes.
  const cover = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) >
      Math.min(one.bottom - one.top, other.bottom - other.top) / 3;

  const overlapping = texts.flatMap((one, index) =>
    texts
      .slice(index + 1)
      .filter((other) => one.lines.some((line) => other.lines.some((it) => cover(line, it))))
      .map((other) => `${name(one.element)} and ${name(other.element)} overlap`),
  );

  // Of any colour that CSS has, what a canvas makes of it.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return { channels: [red, green, blue], alpha: alpha / 255 };
  };
  const over = (front, alpha, back) =>
    front.map((channel, index) => channel * alpha + back[index] * (1 - alpha));

  // What is seen behind the text of an element.
  const ground = (element) => {
    const behind = [...ancestors(element)].reverse();
    return behind.reduce((back, it) => {
      const { channels, alpha } = colour(getComputedStyle(it).backgroundColor);
      return over(channels, alpha, back);
    }, colour("Canvas").channels);
  };

  const luminance = (channels) => {
    const [red, green, blue] = channels.map((channel) => {
      const part = channel / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };

  // WCAG 2, for letters of any size.
  const faint = texts.flatMap(({ element }) => {
    const opacity = [...ancestors(element)].reduce(
      (product, it) => product * Number(getComputedStyle(it).opacity),
      1,
    );
    const back = ground(element);
    const { channels, alpha } = colour(getComputedStyle(element).color);
    const lights = [luminance(over(channels, alpha * opacity, back)), luminance(back)];
    const ratio = (Math.max(...lights) + 0.05) / (Math.min(...lights) + 0.05);
    const isOff = element.closest(":disabled, [aria-disabled=true]") !== null;
    return ratio < 4.5 && !isOff ? [`${name(element)} has a contrast of ${ratio.toFixed(2)}`] : [];
  });

  const holds = "img, svg, input, textarea, select, canvas, iframe, video, hr";
  const isDrawn = (element) => {
    const style = getComputedStyle(element);
    const sides = ["Top", "Right", "Bottom", "Left"];
    const hasBorder = sides.every(
      (side) =>
        parseFloat(style[`border${side}Width`]) > 0 && style[`border${side}Style`] !== "none",
    );
    const { alpha } = colour(style.backgroundColor);
    const differs =
      alpha > 0 &&
      element.parentElement &&
      String(ground(element)) !== String(ground(element.parentElement));
    return hasBorder || differs;
  };
  const isPicture = (element) =>
    element.matches(holds) || getComputedStyle(element).backgroundImage !== "none";
  const isEmpty = (element) =>
    element.innerText?.trim() === "" &&
    element.closest("svg, select") === null &&
    ![element, ...element.querySelectorAll("*")].some(isPicture) &&
    ["::before", "::after"].every((part) =>
      ["none", "normal", '""'].includes(getComputedStyle(element, part).content),
    );
  const empty = elements.flatMap((element) => {
    const box = seen(element, element.getBoundingClientRect());
    const isBox = box && box.right - box.left > 4 && box.bottom - box.top > 4;
    return isBox && isEmpty(element) && isDrawn(element) ? [`${name(element)} is an empty box`] : [];
  });

  return [...overlapping, ...faint, ...empty];
}
