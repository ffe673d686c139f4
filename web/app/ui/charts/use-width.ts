import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** Tracks the width of an element. */
export function useWidth<Element extends HTMLElement>(): [ref: RefObject<Element | null>, width: number] {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
