import { useEffect, useRef } from 'react';

/** Hands out the signal that ends work when the component leaves the page. */
export function useAbortSignal(): () => AbortSignal {
  const stop = useRef(new AbortController());
  useEffect(() => {
    stop.current = new AbortController();
    return () => stop.current.abort();
  }, []);
  return () => stop.current.signal;
}
