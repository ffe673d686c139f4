import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** True while the page is laid out for paper. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const paper = matchMedia('print');
    // The browser goes on as soon as it has told us: what is drawn later is not on the paper.
    const set = (next: boolean) => flushSync(() => setIsPrinting(next));
    const start = () => set(true);
    const end = () => set(false);
    const follow = () => set(paper.matches);
    addEventListener('beforeprint', start);
    addEventListener('afterprint', end);
    paper.addEventListener('change', follow);
    return () => {
      removeEventListener('beforeprint', start);
      removeEventListener('afterprint', end);
      paper.removeEventListener('change', follow);
    };
  }, []);
  return isPrinting;
}
