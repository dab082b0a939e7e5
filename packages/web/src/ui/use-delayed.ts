import { useEffect, useState } from "react";

/** A value that follows another once that has rested for so many milliseconds: what is searched while somebody types. */
export function useDelayed<Value>(value: Value, milliseconds = 250): Value {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return delayed;
}
