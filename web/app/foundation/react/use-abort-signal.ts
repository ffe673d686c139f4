import { useEffect, useRef } from 'react';

/** Returns a getter for a signal that aborts when the component unmounts. */
export function useAbortSignal(): () => AbortSignal {
  const controller = useRef(new AbortController());
  useEffect(() => {
    controller.current = new AbortController();
    return () => controller.current.abort();
  }, []);
  return () => controller.current.signal;
}
