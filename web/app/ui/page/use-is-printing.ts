import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Whether the page is being printed. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const paper = matchMedia('print');
    // Render synchronously: the browser takes the print snapshot right after the event.
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
