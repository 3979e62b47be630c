// The lite build leaves out the stand-ins for Map and WeakMap, which every supported runtime has.
import 'reflect-metadata/lite';
