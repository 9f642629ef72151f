// The parts of the libraries that the pages use.
import htm from "htm";
import { h } from "preact";
import "uplot/dist/uPlot.min.css";

export { render } from "preact";
export { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
export { default as uPlot } from "uplot";

export const html = htm.bind(h);
