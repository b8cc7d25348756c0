package org.openapitools.client;

import java.util.Map;
import java.util.Set;
import javax.ws.rs.core.GenericType;

/** The generated one configures Jersey 2, which Debian has no package of. Models register themselves here. */
public final class JSON {
    private JSON() {}

    public static void registerDescendants(Class<?> model, Map<String, GenericType> schemas) {}

    public static void registerDiscriminator(Class<?> model, String property, Map<String, Class<?>> mappings) {}

    public static boolean isInstanceOf(Class<?> model, Object instance, Set<Class<?>> visited) {
        return model.isInstance(instance);
    }
}
