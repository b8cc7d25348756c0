import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.OffsetDateTime;
import org.openapitools.client.model.*;

/** Calls the service with generated types, and reads each reply into the model that the document promises. */
public final class RoundTrip {
    private static final ObjectMapper mapper = JsonMapper.builder()
        .configure(MapperFeature.ALLOW_COERCION_OF_SCALARS, false)
        .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, true)
        .serializationInclusion(JsonInclude.Include.NON_NULL)
        .addModule(new SimpleModule()
            .addSerializer(OffsetDateTime.class, ToStringSerializer.instance)
            .addDeserializer(OffsetDateTime.class, new StdDeserializer<OffsetDateTime>(OffsetDateTime.class) {
                @Override
                public OffsetDateTime deserialize(JsonParser parser, DeserializationContext context) throws IOException {
                    return OffsetDateTime.parse(parser.getText());
                }
            }))
        .build();

    public static void main(String[] arguments) throws Exception {
        typed(arguments[0]);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            int tab = line.indexOf('\t');
            Class<?> model = Class.forName("org.openapitools.client.model." + line.substring(0, tab));
            System.out.println(mapper.writeValueAsString(mapper.readValue(line.substring(tab + 1), model)));
        }
    }

    private static void typed(String url) throws Exception {
        LoanApprovalInput input = new LoanApprovalInput()
            .applicant(new Applicant().age(34).income(new BigDecimal("68000")).creditScore(735).employment(Applicant.EmploymentEnum.EMPLOYED))
            .amount(new BigDecimal("1000")).termMonths(36).country("DE");
        String body = mapper.writeValueAsString(new LoanApprovalRequest().input(input));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/decisions/loan-approval"))
            .header("content-type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body)).build();
        String reply = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
        Object result = mapper.readValue(reply, LoanApprovalResult.class).getActualInstance();
        LoanApprovalOkResult ok = (LoanApprovalOkResult) result;
        System.out.println(ok.getMeta().getMatchedRule() + " " + ok.getData().getTier().getValue());
    }
}
